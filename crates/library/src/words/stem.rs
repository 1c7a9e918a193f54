//! Word stems.
//!
//! M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980) 130-137,
//! doi:10.1108/eb046814. Words of fewer than three or more than 64 bytes stay as they are, as in
//! SQLite's FTS5, whose index this one took the place of.

/// Longest word that is stemmed, in bytes.
const LONGEST: usize = 64;

/// Turns a lower-case word into its stem, in place.
pub(crate) fn stem(word: &mut String) {
    if !(3..=LONGEST).contains(&word.len()) || !word.ends_with(|c: char| c.is_ascii_alphabetic()) {
        return;
    }
    plurals(word);
    past_and_progressive(word);
    if word.ends_with('y') && has_vowel(&word.as_bytes()[..word.len() - 1]) {
        replace(word, 1, "i");
    }
    step(word, STEP_2, |stem| measure(stem) > 0);
    step(word, STEP_3, |stem| measure(stem) > 0);
    step_4(word);
    final_e(word);
    if word.ends_with("ll") && measure(&word.as_bytes()[..word.len() - 1]) > 1 {
        word.pop();
    }
}

/// Step 2: endings, longer ones before those that end them.
const STEP_2: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("logi", "log"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];

const STEP_3: &[(&str, &str)] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Step 4: endings that are taken off a longer stem; "ion" only after s or t.
const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
];

/// Step 1a.
fn plurals(word: &mut String) {
    if word.ends_with("sses") || word.ends_with("ies") {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
}

/// Step 1b.
fn past_and_progressive(word: &mut String) {
    if word.len() > 3 && word.ends_with("eed") {
        if measure(&word.as_bytes()[..word.len() - 3]) > 0 {
            word.pop();
        }
        return;
    }
    let ending = if word.ends_with("ed") {
        2
    } else if word.ends_with("ing") {
        3
    } else {
        return;
    };
    let end = word.len() - ending;
    if !has_vowel(&word.as_bytes()[..end]) {
        return;
    }
    word.truncate(end);
    if word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz") {
        word.push('e');
    } else if ends_in_double(word.as_bytes()) {
        word.pop();
    } else if measure(word.as_bytes()) == 1 && ends_short(word.as_bytes()) {
        word.push('e');
    }
}

fn step(word: &mut String, endings: &[(&str, &str)], allows: impl Fn(&[u8]) -> bool) {
    for (ending, new) in endings {
        if let Some(stem) = word.strip_suffix(ending) {
            // The first ending that fits decides, whether its condition holds or not.
            if allows(stem.as_bytes()) {
                replace(word, ending.len(), new);
            }
            return;
        }
    }
}

fn step_4(word: &mut String) {
    for ending in STEP_4 {
        if let Some(stem) = word.strip_suffix(ending) {
            let fits = *ending != "ion" || stem.ends_with(['s', 't']);
            if fits && measure(stem.as_bytes()) > 1 {
                replace(word, ending.len(), "");
            }
            return;
        }
    }
}

/// Step 5a.
fn final_e(word: &mut String) {
    let Some(stem) = word.strip_suffix('e').map(str::as_bytes) else {
        return;
    };
    let measure = measure(stem);
    if measure > 1 || (measure == 1 && !ends_short(stem)) {
        word.pop();
    }
}

fn replace(word: &mut String, ending: usize, new: &str) {
    word.truncate(word.len() - ending);
    word.push_str(new);
}

/// Whether the letter at a place is a consonant: y is one at the beginning and after a vowel.
fn is_consonant(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => false,
        b'y' => at == 0 || !is_consonant(word, at - 1),
        _ => true,
    }
}

fn has_vowel(stem: &[u8]) -> bool {
    (0..stem.len()).any(|at| !is_consonant(stem, at))
}

/// Porter's m: how many times vowels are followed by consonants.
fn measure(stem: &[u8]) -> usize {
    let mut count = 0;
    let mut after_vowel = false;
    for at in 0..stem.len() {
        let consonant = is_consonant(stem, at);
        count += usize::from(consonant && after_vowel);
        after_vowel = !consonant;
    }
    count
}

/// Porter's *d without l, s and z: the same consonant twice at the end.
fn ends_in_double(word: &[u8]) -> bool {
    matches!(word, [.., a, b] if a == b && b.is_ascii_lowercase() && !matches!(b, b'l' | b's' | b'z'))
        && is_consonant(word, word.len() - 1)
}

/// Porter's *o: consonant, vowel, consonant at the end, the last not w, x or y.
fn ends_short(word: &[u8]) -> bool {
    let Some(last) = word.len().checked_sub(1).filter(|last| *last >= 2) else {
        return false;
    };
    is_consonant(word, last)
        && !is_consonant(word, last - 1)
        && is_consonant(word, last - 2)
        && !matches!(word[last], b'w' | b'x' | b'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stem_of(word: &str) -> String {
        let mut word = word.to_owned();
        stem(&mut word);
        word
    }

    /// The examples of Porter 1980, section 3.
    #[test]
    fn stems_are_those_of_the_paper() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("bled", "bled"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("troubled", "troubl"),
            ("sized", "size"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("hissing", "hiss"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("conditional", "condit"),
            ("generalizations", "gener"),
            ("oscillators", "oscil"),
            ("triplicate", "triplic"),
            ("electrical", "electr"),
            ("goodness", "good"),
            ("adjustment", "adjust"),
            ("adoption", "adopt"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("cease", "ceas"),
            ("controll", "control"),
            ("roll", "roll"),
        ] {
            assert_eq!(stem_of(word), expected, "{word}");
        }
    }
}
