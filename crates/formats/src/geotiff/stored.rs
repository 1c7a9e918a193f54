//! Kinds of numbers as files store them.

/// A kind of number as files store it, little-endian.
pub(super) trait Stored: Copy + PartialEq + Send + Sync {
    /// Bytes of one.
    const SIZE: usize;
    /// Whether the kind is floating point.
    const FLOATING: bool;
    /// How TIFF calls the kind: 1 unsigned, 2 signed, 3 floating point.
    const FORMAT: u16;
    /// Reads [`Stored::SIZE`] bytes.
    fn from_bytes(bytes: &[u8]) -> Self;
    /// Writes [`Stored::SIZE`] bytes.
    fn put(self, bytes: &mut [u8]);
    /// As double precision.
    fn widen(self) -> f64;
    /// From double precision, to what is nearest.
    fn narrow(value: f64) -> Self;
    /// Makes differences of neighbours in a row of what is in it.
    fn make_differences(row: &mut [u8]);
    /// Makes what was in a row of differences of neighbours.
    fn undo_differences(row: &mut [u8]);

    /// What is stored for a value, no data as its marker.
    #[inline]
    fn of(value: f64, marker: Option<f64>) -> Self {
        match (value.is_nan(), marker) {
            (true, Some(marker)) => Self::narrow(marker),
            _ => Self::narrow(value),
        }
    }

    /// Whether the file would give back what went in, to the precision of its kind.
    #[inline]
    fn keeps(value: f64, marker: Option<f64>) -> bool {
        let back = Self::narrow(value).widen();
        let same = match Self::FLOATING {
            true => back.is_finite() == value.is_finite(),
            false => back == value,
        };
        match value.is_nan() {
            true => Self::FLOATING || marker.is_some(),
            false => same && marker != Some(value),
        }
    }
}

macro_rules! stored {
    ($kind:ty, $bits:ty, $format:literal) => {
        impl Stored for $kind {
            const SIZE: usize = size_of::<$kind>();
            const FLOATING: bool = $format == 3;
            const FORMAT: u16 = $format;

            #[inline]
            fn from_bytes(bytes: &[u8]) -> $kind {
                let mut array = [0; size_of::<$kind>()];
                array.copy_from_slice(bytes);
                <$kind>::from_le_bytes(array)
            }

            #[inline]
            fn put(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn widen(self) -> f64 {
                self as f64
            }

            #[inline]
            fn narrow(value: f64) -> $kind {
                value as $kind
            }

            fn make_differences(row: &mut [u8]) {
                let mut before: $bits = 0;
                for bytes in row.as_chunks_mut::<{ size_of::<$bits>() }>().0 {
                    let here = <$bits>::from_le_bytes(*bytes);
                    *bytes = here.wrapping_sub(before).to_le_bytes();
                    before = here;
                }
            }

            fn undo_differences(row: &mut [u8]) {
                let mut sum: $bits = 0;
                for bytes in row.as_chunks_mut::<{ size_of::<$bits>() }>().0 {
                    sum = sum.wrapping_add(<$bits>::from_le_bytes(*bytes));
                    *bytes = sum.to_le_bytes();
                }
            }
        }
    };
}

stored!(u8, u8, 1);
stored!(i8, u8, 2);
stored!(u16, u16, 1);
stored!(i16, u16, 2);
stored!(u32, u32, 1);
stored!(i32, u32, 2);
stored!(f32, u32, 3);
stored!(f64, u64, 3);

/// Makes what the floating-point predictor stores of a row: the highest bytes of all numbers,
/// then the next ones, and of the whole row each byte as the difference to the one before.
pub(super) fn make_planes<T: Stored>(row: &[u8], out: &mut [u8]) {
    let count = row.len() / T::SIZE;
    for (plane, out) in out.chunks_exact_mut(count.max(1)).enumerate() {
        let byte = T::SIZE - 1 - plane;
        let numbers = row.chunks_exact(T::SIZE);
        out.iter_mut()
            .zip(numbers)
            .for_each(|(out, number)| *out = number[byte]);
    }
    let mut before = 0u8;
    for byte in out {
        let here = *byte;
        *byte = here.wrapping_sub(before);
        before = here;
    }
}

/// Undoes [`make_planes`] and hands every number on.
pub(super) fn undo_planes<T: Stored>(stored: &mut [u8], out: &mut [f64], give: impl Fn(T) -> f64) {
    let mut sum = 0u8;
    for byte in stored.iter_mut() {
        sum = sum.wrapping_add(*byte);
        *byte = sum;
    }
    let count = stored.len() / T::SIZE;
    let stored = &*stored;
    if T::SIZE == 4 {
        let (a, rest) = stored.split_at(count);
        let (b, rest) = rest.split_at(count);
        let (c, d) = rest.split_at(count);
        for (out, (((a, b), c), d)) in out.iter_mut().zip(a.iter().zip(b).zip(c).zip(d)) {
            *out = give(T::from_bytes(&[*d, *c, *b, *a]));
        }
        return;
    }
    let mut bytes = [0; 8];
    let bytes = &mut bytes[..T::SIZE];
    for (cell, out) in out.iter_mut().enumerate() {
        for (plane, byte) in bytes.iter_mut().rev().enumerate() {
            *byte = stored[plane * count + cell];
        }
        *out = give(T::from_bytes(bytes));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn predictors_are_undone(values in prop::collection::vec(any::<f32>(), 1..70)) {
            let row: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            let mut differences = row.clone();
            f32::make_differences(&mut differences);
            f32::undo_differences(&mut differences);
            prop_assert_eq!(&differences, &row);
            let mut planes = vec![0; row.len()];
            make_planes::<f32>(&row, &mut planes);
            let mut back = vec![0.0; values.len()];
            undo_planes::<f32>(&mut planes, &mut back, f64::from);
            for (back, value) in back.iter().zip(&values) {
                prop_assert!(*back == f64::from(*value) || back.is_nan() && value.is_nan());
            }
        }

        #[test]
        fn planes_of_double_precision_are_undone(values in prop::collection::vec(any::<f64>(), 1..70)) {
            let row: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            let mut planes = vec![0; row.len()];
            make_planes::<f64>(&row, &mut planes);
            let mut back = vec![0.0; values.len()];
            undo_planes::<f64>(&mut planes, &mut back, |v| v);
            for (back, value) in back.iter().zip(&values) {
                prop_assert!(back == value || back.is_nan() && value.is_nan());
            }
        }
    }
}
