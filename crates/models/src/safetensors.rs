//! Reader of `safetensors` weight files.
//!
//! Eight bytes with the length of a JSON header (little endian), the header, the values. The
//! header gives each tensor's type, shape and byte range; the ranges follow one another without
//! gaps. The file is read once from front to back, hashed on the way, and only the tensors that
//! are wanted stay in memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::ModelError;

/// Longest header that is read. Those of BERT models have some ten thousand bytes.
const MAX_HEADER: u64 = 32 << 20;

/// Values read at one time, so that a tensor is never in memory twice.
const READ_BYTES: usize = 1 << 20;

/// The wanted tensors of a weight file, as 32-bit floats.
#[derive(Debug)]
pub(crate) struct Tensors {
    path: PathBuf,
    tensors: BTreeMap<String, Tensor>,
    names: Vec<String>,
    sha256: String,
}

#[derive(Debug)]
struct Tensor {
    shape: Vec<usize>,
    values: Vec<f32>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FloatType {
    F32,
    F16,
    BF16,
}

impl Tensors {
    /// Reads the tensors whose name `wanted` accepts. Names it rejects are checked for their
    /// place in the file and hashed, no more.
    pub(crate) fn read(path: &Path, wanted: impl Fn(&str) -> bool) -> Result<Tensors, ModelError> {
        let file = File::open(path).map_err(ModelError::io("read", path))?;
        let length = file.metadata().map_err(ModelError::io("read", path))?.len();
        let mut reader = HashingReader {
            path,
            inner: BufReader::with_capacity(READ_BYTES, file),
            hasher: Sha256::new(),
        };
        let entries = read_header(&mut reader, length)?;
        let mut tensors = BTreeMap::new();
        let mut names = Vec::with_capacity(entries.len());
        for (name, entry) in entries {
            let bytes = entry.data_offsets[1] - entry.data_offsets[0];
            if wanted(&name) {
                let float = match entry.dtype.as_str() {
                    "F32" => FloatType::F32,
                    "F16" => FloatType::F16,
                    "BF16" => FloatType::BF16,
                    other => {
                        let reason =
                            format!("tensor {name} has type {other}; F32, F16 and BF16 are read");
                        return Err(ModelError::broken(path, reason));
                    }
                };
                let values = read_floats(&mut reader, bytes, float)?;
                if let Some(at) = values.iter().position(|x| !x.is_finite()) {
                    let reason = format!(
                        "value {at} of tensor {name} is {}: the weights are damaged; fetch the model again",
                        values[at]
                    );
                    return Err(ModelError::broken(path, reason));
                }
                let shape = entry.shape.iter().map(|&n| n as usize).collect();
                tensors.insert(name.clone(), Tensor { shape, values });
            } else {
                reader.skip(bytes)?;
            }
            names.push(name);
        }
        let sha256 = hex(&reader.hasher.finalize());
        Ok(Tensors {
            path: path.to_owned(),
            tensors,
            names,
            sha256,
        })
    }

    /// The names of all tensors in the file, in the order of their bytes.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// SHA-256 of the file, in hexadecimal digits.
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Hands over a tensor, which must have this shape.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let Some(tensor) = self.tensors.remove(name) else {
            let reason = format!("tensor {name} is missing");
            return Err(ModelError::broken(&self.path, reason));
        };
        if tensor.shape != shape {
            let reason = format!(
                "tensor {name} has shape {:?}, but config.json asks for {shape:?}",
                tensor.shape
            );
            return Err(ModelError::broken(&self.path, reason));
        }
        Ok(tensor.values)
    }
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checked header entries in the order of their bytes.
fn read_header(
    reader: &mut HashingReader<'_>,
    length: u64,
) -> Result<Vec<(String, Entry)>, ModelError> {
    let path = reader.path;
    let broken = |reason: String| ModelError::broken(path, reason);
    let mut size = [0; 8];
    if length < 8 {
        return Err(broken(format!(
            "it has {length} bytes, too few for a safetensors file"
        )));
    }
    reader.fill(&mut size)?;
    let header_length = u64::from_le_bytes(size);
    if header_length > MAX_HEADER {
        return Err(broken(format!(
            "its header claims {header_length} bytes, more than the {MAX_HEADER} that are read: \
             this is not a safetensors file, or it is damaged"
        )));
    }
    let data_length = length.checked_sub(8 + header_length).ok_or_else(|| {
        broken(format!(
            "its header claims {header_length} bytes, but the file ends after {length}: it is cut short"
        ))
    })?;
    let mut header = vec![0; header_length as usize];
    reader.fill(&mut header)?;
    let not_a_header = |e: serde_json::Error| broken(format!("its header cannot be read: {e}"));
    let header: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(&header).map_err(not_a_header)?;
    let mut entries = Vec::with_capacity(header.len());
    for (name, value) in header {
        if name == "__metadata__" {
            continue;
        }
        let entry: Entry = serde_json::from_value(value)
            .map_err(|e| broken(format!("its header entry {name:?} cannot be read: {e}")))?;
        entries.push((name, entry));
    }
    entries.sort_by_key(|(_, entry)| entry.data_offsets);
    let mut at = 0;
    for (name, entry) in &entries {
        let [start, end] = entry.data_offsets;
        let elements = entry
            .shape
            .iter()
            .try_fold(1u64, |n, &side| n.checked_mul(side));
        let bytes = elements.and_then(|n| n.checked_mul(bits(&entry.dtype)?));
        if start != at || end < start || bytes.map(|n| n / 8) != Some(end - start) {
            return Err(broken(format!(
                "the bytes {start}..{end} of tensor {name:?} do not fit its type {}, its shape {:?} \
                 or the tensor before it",
                entry.dtype, entry.shape
            )));
        }
        at = end;
    }
    if at != data_length {
        return Err(broken(format!(
            "its tensors fill {at} bytes, but {data_length} follow the header: it is cut short or \
             something was added"
        )));
    }
    Ok(entries)
}

/// Bits of one value; `None` for types this reader has not heard of.
fn bits(dtype: &str) -> Option<u64> {
    Some(match dtype {
        "F64" | "I64" | "U64" | "C64" => 64,
        "F32" | "I32" | "U32" => 32,
        "F16" | "BF16" | "I16" | "U16" => 16,
        "I8" | "U8" | "BOOL" | "F8_E4M3" | "F8_E5M2" | "F8_E8M0" => 8,
        "F4" => 4,
        _ => return None,
    })
}

fn read_floats(
    reader: &mut HashingReader<'_>,
    bytes: u64,
    float: FloatType,
) -> Result<Vec<f32>, ModelError> {
    let width = if float == FloatType::F32 { 4 } else { 2 };
    // `bytes` was checked against the file's length, so this never asks for more than it holds
    // (twice that for half-precision weights).
    let mut values = Vec::with_capacity(bytes as usize / width);
    let mut buffer = vec![0; READ_BYTES];
    let mut left = bytes as usize;
    while left > 0 {
        let part = &mut buffer[..left.min(READ_BYTES)];
        reader.fill(part)?;
        left -= part.len();
        match float {
            FloatType::F32 => {
                values.extend(
                    part.as_chunks::<4>()
                        .0
                        .iter()
                        .map(|b| f32::from_le_bytes(*b)),
                );
            }
            FloatType::F16 => {
                let halves = part.as_chunks::<2>().0.iter();
                values.extend(halves.map(|b| half_to_float(u16::from_le_bytes(*b))));
            }
            FloatType::BF16 => {
                let halves = part.as_chunks::<2>().0.iter();
                values.extend(
                    halves.map(|b| f32::from_bits(u32::from(u16::from_le_bytes(*b)) << 16)),
                );
            }
        }
    }
    Ok(values)
}

/// IEEE 754 half precision: sign, 5 bits of exponent, 10 of fraction.
fn half_to_float(half: u16) -> f32 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let fraction = f32::from(half & 0x3ff) / 1024.0;
    sign * match (half >> 10) & 0x1f {
        0 => fraction * 2f32.powi(-14),
        31 if half & 0x3ff == 0 => f32::INFINITY,
        31 => f32::NAN,
        exponent => (1.0 + fraction) * 2f32.powi(i32::from(exponent) - 15),
    }
}

struct HashingReader<'a> {
    path: &'a Path,
    inner: BufReader<File>,
    hasher: Sha256,
}

impl HashingReader<'_> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), ModelError> {
        self.inner
            .read_exact(buffer)
            .map_err(ModelError::io("read", self.path))?;
        self.hasher.update(buffer);
        Ok(())
    }

    fn skip(&mut self, bytes: u64) -> Result<(), ModelError> {
        let mut buffer = vec![0; READ_BYTES.min(bytes as usize)];
        let mut left = bytes as usize;
        while left > 0 {
            let part = left.min(READ_BYTES);
            self.fill(&mut buffer[..part])?;
            left -= part;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_values_are_those_of_the_standard() {
        for (half, want) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 2f32.powi(-24)),
            (0x0400, 2f32.powi(-14)),
            (0x3555, 0.333_251_95),
        ] {
            assert_eq!(half_to_float(half), want, "{half:#06x}");
        }
        assert!(half_to_float(0x7c00).is_infinite() && half_to_float(0x7e00).is_nan());
    }
}
