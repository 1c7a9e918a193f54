//! The heat index against metpy.

use lahar_core::measure::Ratio;
use lahar_hazards::heatwave::rothfusz_1990::{COOLEST, heat_index};
use serde_json::Value;

use crate::{Case, Check, Differences, compare};

pub const KINDS: &[(&str, Check)] = &[("heat_indices", index)];

/// Cooler air than the index is defined for is refused; metpy gives another formula there.
fn index(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let temperature = case.number("t_c")?;
    let humidity = Ratio::fraction(case.number("rh_pct")? / 100.0);
    let mut out = Differences::new();
    match heat_index(temperature, humidity) {
        Ok(found) => compare(
            &mut out,
            "heat index",
            found * 1.8 + 32.0,
            case.number("heat_index_metpy_degF")?,
            1e-6,
            0.0,
        ),
        Err(_) if temperature < COOLEST => {}
        Err(error) => return Err(error.to_string()),
    }
    Ok(out)
}
