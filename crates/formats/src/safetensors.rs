//! Weights of published scientific models in safetensors files.
//!
//! Eight bytes with the length of a JSON header, the header with kind, shape and place of each
//! tensor, then the bytes. Every place is checked before anything is read.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::FormatError;

const FORMAT: &str = "safetensors file";

/// A tensor, widened to double precision.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Lengths of its dimensions, the slowest first.
    pub shape: Vec<usize>,
    /// Its values.
    pub values: Vec<f64>,
}

/// Reads all tensors by name.
///
/// ```
/// let header = br#"{"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}"#;
/// let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
/// bytes.extend(header);
/// bytes.extend(1.5f32.to_le_bytes());
/// bytes.extend((-2.0f32).to_le_bytes());
/// let tensors = lahar_formats::safetensors::read(&bytes).unwrap();
/// assert_eq!(tensors["w"].values, [1.5, -2.0]);
/// ```
pub fn read(bytes: &[u8]) -> Result<BTreeMap<String, Tensor>, FormatError> {
    let wrong = |place: &str, why: String| FormatError::Malformed {
        format: FORMAT,
        place: place.to_owned(),
        why,
    };
    let (length, rest) = bytes
        .split_first_chunk::<8>()
        .ok_or_else(|| wrong("header", "the file is shorter than 8 bytes".into()))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let (header, data) = rest.split_at_checked(length).ok_or_else(|| {
        wrong(
            "header",
            format!("it claims {length} bytes, more than there are"),
        )
    })?;
    let header: Value =
        serde_json::from_slice(header).map_err(|error| wrong("header", error.to_string()))?;
    let entries = header
        .as_object()
        .ok_or_else(|| wrong("header", "it is no object".into()))?;
    let mut tensors = BTreeMap::new();
    for (name, entry) in entries.iter().filter(|(name, _)| *name != "__metadata__") {
        let tensor = tensor(entry, data).map_err(|why| wrong(&format!("tensor `{name}`"), why))?;
        tensors.insert(name.clone(), tensor);
    }
    Ok(tensors)
}

fn tensor(entry: &Value, data: &[u8]) -> Result<Tensor, String> {
    let numbers = |key: &str| -> Result<Vec<usize>, String> {
        let list = entry
            .get(key)
            .and_then(Value::as_array)
            .ok_or(format!("it has no {key}"))?;
        let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
        list.iter()
            .map(|value| number(value).ok_or(format!("its {key} are no counts")))
            .collect()
    };
    let shape = numbers("shape")?;
    let [start, end] = numbers("data_offsets")?[..] else {
        return Err("its data_offsets are not two".to_owned());
    };
    let kind = entry
        .get("dtype")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let size = match kind {
        "I8" | "U8" | "BOOL" => 1,
        "F16" | "BF16" | "I16" | "U16" => 2,
        "F32" | "I32" | "U32" => 4,
        "F64" | "I64" => 8,
        _ => return Err(format!("numbers of kind `{kind}` are not read")),
    };
    let bytes = data
        .get(start..end)
        .ok_or_else(|| format!("it claims bytes {start} to {end} of {}", data.len()))?;
    let count = shape
        .iter()
        .try_fold(size, |n: usize, length| n.checked_mul(*length));
    if count != Some(bytes.len()) {
        return Err(format!(
            "{} bytes do not fill its shape {shape:?}",
            bytes.len()
        ));
    }
    Ok(Tensor {
        shape,
        values: bytes
            .chunks_exact(size)
            .map(|raw| widen(kind, raw))
            .collect(),
    })
}

/// One number of a kind that [`tensor`] let through, little-endian.
fn widen(kind: &str, raw: &[u8]) -> f64 {
    let mut wide = [0u8; 8];
    wide[..raw.len()].copy_from_slice(raw);
    let bits = u64::from_le_bytes(wide);
    match kind {
        "F64" => f64::from_bits(bits),
        "F32" => f64::from(f32::from_bits(bits as u32)),
        // The upper half of a single.
        "BF16" => f64::from(f32::from_bits((bits as u32) << 16)),
        "F16" => half(bits as u16),
        "I8" => f64::from(bits as u8 as i8),
        "I16" => f64::from(bits as u16 as i16),
        "I32" => f64::from(bits as u32 as i32),
        "I64" => bits as i64 as f64,
        _ => bits as f64,
    }
}

/// A half-precision number (IEEE 754 binary16).
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn every_kind_is_widened() {
        for (kind, raw, value) in [
            ("F16", &[0x00, 0x3c][..], 1.0),
            ("F16", &[0x01, 0x80], -(2f64.powi(-24))),
            ("BF16", &[0x80, 0xbf], -1.0),
            ("I8", &[0xff], -1.0),
            ("U16", &[0xff, 0xff], 65_535.0),
            (
                "I64",
                &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
                -2.0,
            ),
        ] {
            let header = format!(
                r#"{{"x": {{"dtype": "{kind}", "shape": [1], "data_offsets": [0, {}]}}}}"#,
                raw.len()
            );
            assert_eq!(
                read(&file(&header, raw)).unwrap()["x"].values,
                [value],
                "{kind}"
            );
        }
    }

    #[test]
    fn places_outside_the_file_are_refused() {
        for (header, part) in [
            (
                r#"{"x": {"dtype": "F32", "shape": [9], "data_offsets": [0, 36]}}"#,
                "36 of 4",
            ),
            (
                r#"{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}"#,
                "do not fill",
            ),
            (
                r#"{"x": {"dtype": "F32", "shape": [18446744073709551615, 4], "data_offsets": [0, 4]}}"#,
                "do not fill",
            ),
            (
                r#"{"x": {"dtype": "F4", "shape": [1], "data_offsets": [0, 4]}}"#,
                "F4",
            ),
            (
                r#"{"x": {"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}}"#,
                "4 to 0",
            ),
            ("[]", "no object"),
        ] {
            let message = read(&file(header, &[0; 4])).unwrap_err().to_string();
            assert!(message.contains(part), "{header}: {message}");
        }
        assert!(read(&u64::MAX.to_le_bytes()).is_err());
        assert!(read(&[1, 2, 3]).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }
    }
}
