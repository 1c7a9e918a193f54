//! Words of the field that mean the same, and words that mean the contrary.
//!
//! The words themselves stand in two files beside this one: `lexicon.txt`, written for hazards,
//! and `thesaurus.txt`, drawn from WordNet for everything else.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::passage::regular_stem;

/// What a word mostly is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It says what happens or is done.
    Verb,
    /// It says how something is, or how it is done.
    Quality,
    /// Anything else: mostly a thing.
    Thing,
}

/// Which side of which pair of contraries a word stands on.
type Side = (usize, bool);

#[derive(Default)]
struct Lexicon {
    fillers: HashSet<String>,
    negations: HashSet<String>,
    subjects_denied: HashSet<String>,
    /// Groups of the field's lexicon.
    same: HashMap<String, Vec<usize>>,
    /// The same groups as they are written.
    written: HashMap<usize, Vec<String>>,
    /// Groups of the thesaurus.
    akin: HashMap<String, Vec<usize>>,
    contrary: HashMap<String, Vec<Side>>,
    forms: HashMap<String, String>,
    common: HashSet<String>,
    verbs: HashSet<String>,
    qualities: HashSet<String>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    let mut groups = 0;
    for text in [include_str!("lexicon.txt"), include_str!("thesaurus.txt")] {
        lexicon.read(text, &mut groups);
    }
    lexicon
});

impl Lexicon {
    fn stem(&self, word: &str) -> String {
        let regular = || regular_stem(word);
        self.forms.get(word).cloned().unwrap_or_else(regular)
    }

    fn read(&mut self, text: &str, groups: &mut usize) {
        let mut section = "";
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = name;
                continue;
            }
            *groups += 1;
            let words = |text: &str| -> Vec<String> {
                let words = text.split(',').map(str::trim);
                words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
            };
            let stems = |text: &str| -> Vec<String> {
                let words = words(text);
                words.iter().map(|word| self.stem(word)).collect()
            };
            // Contraries stand on both sides of a bar.
            let (left, right) = line.split_once('|').unwrap_or((line, ""));
            let (left, right) = (stems(left), stems(right));
            match section {
                "fillers" => self.fillers.extend(words(line)),
                "negations" => self.negations.extend(words(line)),
                "subjects denied" => self.subjects_denied.extend(words(line)),
                "same" => {
                    self.written.insert(*groups, words(line));
                    join(&mut self.same, left, *groups);
                }
                "akin" => join(&mut self.akin, left, *groups),
                "contrary" => {
                    join(&mut self.contrary, left, (*groups, true));
                    join(&mut self.contrary, right, (*groups, false));
                }
                "forms" => {
                    let words = words(line);
                    let Some((base, forms)) = words.split_first() else {
                        continue;
                    };
                    let base = regular_stem(base);
                    let forms = forms.iter().map(|form| (form.clone(), base.clone()));
                    self.forms.extend(forms);
                }
                "common" => self.common.extend(left),
                "verbs" => self.verbs.extend(left),
                "qualities" => self.qualities.extend(left),
                other => debug_assert!(false, "the lexicon has no section `{other}`"),
            }
        }
    }
}

/// Other words of the field for a word, in the order of the lexicon.
pub(crate) fn words_alike(word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let stem = LEXICON.stem(&word);
    let groups = LEXICON.same.get(&stem).into_iter().flatten();
    let written = groups
        .filter_map(|group| LEXICON.written.get(group))
        .flatten();
    let mut found: Vec<String> = Vec::new();
    for other in written {
        if LEXICON.stem(other) != stem && !found.contains(other) {
            found.push(other.clone());
        }
    }
    found
}

fn join<G: Copy + PartialEq>(known: &mut HashMap<String, Vec<G>>, stems: Vec<String>, group: G) {
    for stem in stems {
        let groups = known.entry(stem).or_default();
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
}

/// Whether a word says little in a claim.
pub(crate) fn is_filler(word: &str) -> bool {
    LEXICON.fillers.contains(word)
}

/// Whether a word turns what follows into its contrary.
pub(crate) fn negates(word: &str) -> bool {
    LEXICON.negations.contains(word)
}

/// Whether "not" before this word denies that its subject is there at all.
pub(crate) fn denies_subject(word: &str) -> bool {
    LEXICON.subjects_denied.contains(word)
}

/// The stem of the word that this one is an irregular form of.
pub(crate) fn base_form(word: &str) -> Option<&'static str> {
    LEXICON.forms.get(word).map(String::as_str)
}

/// Whether a stem is one of the commonest of running text, which a paraphrase may say in many ways.
pub(crate) fn is_common(stem: &str) -> bool {
    LEXICON.common.contains(stem)
}

/// What a word mostly is, by its stem.
pub(crate) fn kind(stem: &str) -> Kind {
    if LEXICON.verbs.contains(stem) {
        Kind::Verb
    } else if LEXICON.qualities.contains(stem) {
        Kind::Quality
    } else {
        Kind::Thing
    }
}

/// Likeness of two words of one group of the field's lexicon, ...
const SAME: f32 = 0.85;
/// ... of one group of the thesaurus, ...
const AKIN: f32 = 0.75;
/// ... and of one family: "destruct" and "destroy", "volcan" and "volcano".
const FAMILY: f32 = 0.75;

/// How nearly two stems mean the same, from 0 (nothing in common) to 1 (the same stem).
pub(crate) fn likeness(a: &str, b: &str) -> f32 {
    if a == b {
        return 1.0;
    }
    let is_digits = |s: &str| s.starts_with(|c: char| c.is_ascii_digit());
    if is_digits(a) || is_digits(b) {
        let same = matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b);
        return if same { 1.0 } else { 0.0 };
    }
    let together = |groups: &HashMap<String, Vec<usize>>| match (groups.get(a), groups.get(b)) {
        (Some(a), Some(b)) => a.iter().any(|group| b.contains(group)),
        _ => false,
    };
    if together(&LEXICON.same) {
        return SAME;
    }
    if contrary(a, b) {
        return 0.0;
    }
    if together(&LEXICON.akin) {
        return AKIN;
    }
    let common = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    let letters = |s: &str| s.bytes().all(|b| b.is_ascii_alphabetic());
    let family = common >= 5 && common * 10 >= longer * 6 && common * 10 >= shorter * 8;
    if family && letters(a) && letters(b) {
        return FAMILY;
    }
    0.0
}

/// Whether one stem denies the other.
pub(crate) fn contrary(a: &str, b: &str) -> bool {
    match (LEXICON.contrary.get(a), LEXICON.contrary.get(b)) {
        (Some(a), Some(b)) => a.iter().any(|(pair, side)| b.contains(&(*pair, !side))),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::passage::stem;
    use super::*;

    #[test]
    fn words_of_a_group_are_alike_and_contraries_are_told() {
        assert!(likeness(&stem("deaths"), &stem("killed")) > 0.8);
        assert_eq!(likeness(&stem("bridge"), &stem("river")), 0.0);
        assert!(contrary(&stem("increased"), &stem("reduced")));
        assert!(!contrary(&stem("increased"), &stem("rose")));
    }

    #[test]
    fn the_thesaurus_knows_words_of_no_hazard() {
        assert!(likeness(&stem("majority"), &stem("bulk")) > 0.7);
        assert!(contrary(&stem("accurate"), &stem("inaccurate")));
        assert_eq!(kind(&stem("dismiss")), Kind::Verb);
        assert_eq!(kind(&stem("curly")), Kind::Quality);
        assert_eq!(kind(&stem("river")), Kind::Thing);
    }

    #[test]
    fn irregular_forms_have_the_stem_of_their_base() {
        assert_eq!(base_form("struck"), Some(stem("strike").as_str()));
        assert_eq!(base_form("strike"), None);
    }
}
