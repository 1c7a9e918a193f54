#![no_main]
//! Any bytes as NetCDF: every variable, the times, a grid.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = lahar_formats::netcdf::File::open(bytes) {
        for name in file.names().unwrap_or_default() {
            let _ = file.read(&name);
            let _ = file.read_times(&name);
            let _ = file.read_grid(&name, &[0]);
        }
    }
});
