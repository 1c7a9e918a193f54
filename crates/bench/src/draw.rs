//! Seeded numbers: the same on every machine, for ever.

/// Steele, Lea and Flood's generator (OOPSLA 2014): eight lines and no dependency.
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, each equally likely (Lemire 2019, doi:10.1145/3230636).
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.next()) * u128::from(bound);
            if product as u64 >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// A position in a list of `length`, which is not empty.
    pub(crate) fn position(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// One of a list that is not empty.
    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.position(of.len())]
    }

    /// Puts a list into a random order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.position(last + 1));
        }
    }

    /// A generator of its own for a name, so that what is drawn for one thing does not depend on
    /// how much was drawn for others (FNV-1a of the name, mixed with the seed).
    pub(crate) fn named(seed: u64, name: &str) -> SplitMix64 {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        SplitMix64(seed ^ hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_numbers() {
        // Rosetta Code, "Pseudo-random numbers/Splitmix64", seed 1234567.
        let mut generator = SplitMix64(1_234_567);
        let numbers: Vec<u64> = (0..5).map(|_| generator.next()).collect();
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn shuffling_keeps_every_member() {
        let mut list: Vec<usize> = (0..20).collect();
        SplitMix64::named(7, "cards").shuffle(&mut list);
        assert_ne!(list, (0..20).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..20).collect::<Vec<_>>());
    }
}
