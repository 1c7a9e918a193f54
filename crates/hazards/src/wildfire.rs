//! Fire weather and the spread of fires over vegetation.
//!
//! | module | holds |
//! |---|---|
//! | [`fire_weather_index`] | the Canadian Forest Fire Weather Index System |
//! | [`fire_behaviour_prediction`] | the Canadian Forest Fire Behaviour Prediction System |
//! | [`fuel_models`] | the standard fuel models of the United States |
//! | [`rothermel`] | surface fires after Rothermel, wind under a canopy |

pub mod fire_behaviour_prediction;
pub mod fire_weather_index;
pub mod fuel_models;
pub(crate) mod registered;
pub mod rothermel;
