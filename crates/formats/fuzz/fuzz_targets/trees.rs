#![no_main]
//! Any bytes as a tree model; one that is read predicts.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(model) = lahar_formats::trees::read(bytes) {
        let missing = vec![f64::NAN; model.features().len()];
        assert!(model.predict(&missing).is_ok());
    }
});
