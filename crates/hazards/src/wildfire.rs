//! Fire weather and the spread of fires over vegetation.
//!
//! | module | holds |
//! |---|---|
//! | [`fire_weather_index`] | the Canadian Forest Fire Weather Index System |
//! | [`fire_behaviour_prediction`] | the Canadian Forest Fire Behaviour Prediction System |
//! | [`fuel_models`] | the standard fuel models of the United States |
//! | [`rothermel`] | surface fires after Rothermel, wind under a canopy |
//! | [`wind`] | the height at which a wind was measured |
//! | [`ellipse`] | fires that grow as ellipses |
//! | [`landscape`] | fuel, slope, barriers and weather on a grid |
//! | [`minimum_travel_time`] | growth as the quickest way to each cell |
//! | [`level_set`] | growth as the zero of a function |
//! | [`spread`] | what a grown fire did, its outlines |
//! | [`ensemble`] | burn probability by many fires in doubtful weather |
//! | [`cellular_automaton`] | burn probability by chance from cell to cell |
//! | [`next_day`] | what burns tomorrow: baselines, a trained logistic model |

pub mod cellular_automaton;
pub mod ellipse;
pub mod ensemble;
pub mod fire_behaviour_prediction;
pub mod fire_weather_index;
pub mod fuel_models;
pub mod landscape;
pub mod level_set;
pub mod minimum_travel_time;
pub mod next_day;
mod perimeter;
pub(crate) mod registered;
pub mod rothermel;
pub mod spread;
pub mod wind;
