//! Seeded random streams: the same numbers on every machine and for every number of threads.
//!
//! A stream belongs to a seed and an index, so that sample 17 of a Monte Carlo run draws the same
//! numbers whichever thread draws them.

/// A stream of random numbers (xoshiro256++, Blackman & Vigna 2021, doi:10.1145/3460772, its
/// state filled by SplitMix64).
#[derive(Debug, Clone)]
pub struct RandomStream([u64; 4]);

impl RandomStream {
    /// The stream of a seed and an index.
    pub fn new(seed: u64, index: u64) -> RandomStream {
        let mut state = seed ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        };
        RandomStream([next(), next(), next(), next()])
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number between 0 and 1, neither of them.
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// A number of the standard normal distribution (polar method of Marsaglia & Bray 1964).
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_repeats_itself_and_no_other() {
        let draw = |seed, index| RandomStream::new(seed, index).bits();
        assert_eq!(draw(42, 7), draw(42, 7));
        assert_ne!(draw(42, 7), draw(42, 8));
        assert_ne!(draw(42, 7), draw(43, 7));
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let mut stream = RandomStream::new(1, 0);
        let n = 100_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let x = stream.normal();
            sum += x;
            squares += x * x;
        }
        let (mean, variance) = (sum / f64::from(n), squares / f64::from(n));
        // Five standard errors.
        assert!(mean.abs() < 5.0 / f64::from(n).sqrt(), "{mean}");
        assert!(
            (variance - 1.0).abs() < 5.0 * (2.0 / f64::from(n)).sqrt(),
            "{variance}"
        );
    }
}
