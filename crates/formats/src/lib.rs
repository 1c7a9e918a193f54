//! Readers and writers of scientific data. They know files, not what the data are used for.
//!
//! | module | reads | writes |
//! |---|---|---|
//! | [`ascii_grid`] | ESRI ASCII grids | yes |
//! | [`geotiff`] | GeoTIFF of any predictor and tiling | GeoTIFF, cloud-optimised GeoTIFF |
//! | [`table`] | CSV with units in its headers | yes |
//! | [`observed`] | points and values along time in tables | - |
//! | [`geojson`] | features with properties | yes |
//! | [`netcdf`] | NetCDF classic and 4: packing, fill values, calendars | - |
//! | [`shapefile`] | shapes with their table | - |
//! | [`safetensors`] | weights of scientific models | - |
//! | [`trees`] | sums of decision trees of XGBoost and LightGBM | - |
//! | [`picture`] | - | PNG |
//! | [`value`] | any of these, as the value of a port | - |
//! | [`projection`] | coordinates between systems | - |
//!
//! Every reader checks the sizes a file claims before it allocates, and every error names the file
//! part that is wrong.

pub mod ascii_grid;
pub mod error;
pub mod geojson;
pub mod geotiff;
pub mod netcdf;
pub mod observed;
pub mod picture;
pub mod safetensors;
pub mod shapefile;
pub mod table;
mod threads;
pub mod trees;
pub mod value;

pub use error::FormatError;
pub use lahar_core::projection;
