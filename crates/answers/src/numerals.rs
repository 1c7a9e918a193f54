//! Numbers written out in words.

/// Whether a text holds a number written out.
pub(crate) fn any(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic());
    words.filter(|word| !word.is_empty()).any(|word| {
        let word = word.to_lowercase();
        small(&word).is_some()
            || matches!(
                word.as_str(),
                "dozen"
                    | "dozens"
                    | "hundred"
                    | "hundreds"
                    | "thousand"
                    | "thousands"
                    | "million"
                    | "half"
            )
    })
}

/// The number that a word up to "ninety" stands for.
pub(crate) fn small(word: &str) -> Option<f64> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    const TENS: [&str; 7] = [
        "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let unit = WORDS.iter().position(|w| *w == word).map(|i| i as f64);
    unit.or_else(|| {
        TENS.iter()
            .position(|w| *w == word)
            .map(|i| (i as f64 + 3.0) * 10.0)
    })
    .or(match word {
        "single" => Some(1.0),
        "twice" => Some(2.0),
        _ => None,
    })
}

/// What a word of size multiplies by.
pub(crate) fn scale(word: &str) -> Option<f64> {
    match word {
        "hundred" => Some(1e2),
        "thousand" => Some(1e3),
        "million" => Some(1e6),
        "billion" => Some(1e9),
        "dozen" => Some(12.0),
        _ => None,
    }
}

/// The part that a word names: "half", "thirds".
pub(crate) fn fraction(word: &str) -> Option<f64> {
    match word {
        "half" | "halves" => Some(0.5),
        "third" | "thirds" => Some(1.0 / 3.0),
        "quarter" | "quarters" => Some(0.25),
        "fifth" | "fifths" => Some(0.2),
        "tenth" | "tenths" => Some(0.1),
        _ => None,
    }
}

/// The rank that a word names: "first", "second".
pub(crate) fn rank(word: &str) -> Option<f64> {
    const WORDS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    let rank = WORDS.iter().position(|w| *w == word)?;
    Some(rank as f64 + 1.0)
}

/// Whether a word tells how many or how often. "One" and "single" seldom do.
pub(crate) fn tells_a_number(word: &str) -> bool {
    let counts = small(word).is_some_and(|number| number != 1.0 && number != 0.0);
    counts
        || scale(word).is_some()
        || fraction(word).is_some()
        || matches!(word, "hourly" | "daily")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_their_numbers() {
        assert_eq!(small("seventeen"), Some(17.0));
        assert_eq!(small("eighty"), Some(80.0));
        assert_eq!(rank("third"), Some(3.0));
        assert_eq!(fraction("quarters"), Some(0.25));
        assert!(tells_a_number("dozen") && tells_a_number("twice"));
        assert!(!tells_a_number("one") && !tells_a_number("river"));
    }
}
