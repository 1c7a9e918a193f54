//! The one-page report of an analysis, as HTML and as Markdown.
//!
//! Both are made from one [`Page`], which holds words and numbers only: whatever a title, a quote or
//! a file name holds is text on the page and never markup, and nothing is fetched from elsewhere.
//!
//! | module | holds |
//! |---|---|
//! | [`html`] | the page as HTML |
//! | [`markdown`] | the page as Markdown |

pub mod html;
pub mod markdown;

/// A figure.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Figure {
    /// The figure as SVG, with no reference to anything outside it.
    pub svg: String,
    /// File of the figure beside the page, for Markdown.
    pub file: String,
    /// What it shows.
    pub caption: String,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResultRow {
    /// What it is.
    pub name: String,
    /// Its value with its unit, or what its grid holds.
    pub value: String,
    /// What is known of its uncertainty.
    pub uncertainty: String,
    /// Its file, where it has one.
    pub file: Option<String>,
}

/// Words of a source that state a condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quote {
    /// The words.
    pub text: String,
    /// Document and page.
    pub source: String,
}

/// One condition of the route that was used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConditionRow {
    /// The condition in our words.
    pub reading: String,
    /// Whether it holds.
    pub status: String,
    /// What was found.
    pub found: String,
    /// Strict or advisory.
    pub strictness: String,
    /// What states it.
    pub citation: String,
    /// The words of it, where the library has them.
    pub quote: Option<Quote>,
}

/// One route.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteRow {
    /// The route.
    pub name: String,
    /// Used, eligible, excluded or undetermined.
    pub status: String,
    /// Why.
    pub reasons: Vec<String>,
}

/// One input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputRow {
    /// What it is.
    pub name: String,
    /// Its value, or its file.
    pub value: String,
    /// Measured, estimated, modelled, or made.
    pub origin: String,
    /// Whether it was made or assumed and nothing measured stands behind it.
    pub is_made: bool,
    /// Who says so.
    pub source: String,
    /// When it was published.
    pub published: String,
}

/// Everything a report says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// What was asked.
    pub title: String,
    /// The answer in one sentence.
    pub answer: String,
    /// Whether an artifact was submitted, or nothing could be.
    pub is_answered: bool,
    /// Place, event, times.
    pub facts: Vec<(String, String)>,
    /// Map or chart.
    pub figure: Option<Figure>,
    /// Results.
    pub results: Vec<ResultRow>,
    /// Conditions of the route that was used.
    pub conditions: Vec<ConditionRow>,
    /// How many of the conditions are only cited.
    pub only_cited: usize,
    /// Every route of the task.
    pub routes: Vec<RouteRow>,
    /// What is uncertain, and by how much.
    pub uncertainty: Vec<String>,
    /// What the answer does not cover.
    pub not_covered: Vec<String>,
    /// Inputs.
    pub inputs: Vec<InputRow>,
    /// What to find out, where something is missing.
    pub questions: Vec<String>,
    /// What is not there at all, where the task was abstained from.
    pub missing: Vec<String>,
    /// What was looked for before giving up.
    pub certificate: Vec<String>,
    /// How to cite it.
    pub citations: Vec<String>,
    /// Program and version.
    pub program: String,
}

impl Page {
    /// How many inputs are made or assumed.
    pub fn made_inputs(&self) -> usize {
        self.inputs.iter().filter(|input| input.is_made).count()
    }

    /// A sentence on what is real and what is made.
    pub fn origin_of_inputs(&self) -> String {
        let (made, all) = (self.made_inputs(), self.inputs.len());
        match (made, all) {
            (_, 0) => "Nothing was given.".to_owned(),
            (0, _) => "Every input is measured, estimated or modelled; none is made.".to_owned(),
            (made, all) if made == all => {
                "EVERY input is made or assumed: this is an exercise, and says nothing of what will \
                 happen."
                    .to_owned()
            }
            (made, all) => format!(
                "{made} of {all} inputs {} made or assumed and marked so below; the result is an \
                 exercise as far as it rests on them.",
                if made == 1 { "is" } else { "are" }
            ),
        }
    }

    fn cited_note(&self) -> Option<String> {
        let all = self.conditions.len();
        (all > 0).then(|| match self.only_cited {
            0 => format!("All {all} conditions are shown with the words of their source."),
            cited => format!(
                "{cited} of {all} conditions are only cited: your library does not hold the sentence \
                 that states them."
            ),
        })
    }
}
