//! From a question to a cited answer, a warning or an abstention.
//!
//! ```text
//! question -> reading -> retrieve -> which chunks bear on it? -> quotable units -> choose -> Answer
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`ask`] | the whole way, over one library |
//! | [`question`] | what a question asks for, and the names and years it insists on |
//! | [`terms`] | words made comparable |
//! | [`bearing`] | whether a retrieved chunk may be quoted at all |
//! | [`sentences`], [`units`] | what can be quoted: whole sentences, items, rows |
//! | [`writer`] | the choice among them |
//! | [`claims`] | statements checked, options chosen: labels with the words that decided |
//! | [`answer`] | answers as values that cannot be made without a quotation |
//! | [`method`] | our way and the baselines it is compared with |

pub mod answer;
pub mod ask;
pub mod bearing;
pub mod claims;
pub mod method;
pub mod question;
pub mod sentences;
pub mod terms;
pub mod units;
pub mod writer;

pub use answer::{Answer, Citation, Cited, Considered, Outcome, Statement, Trace};
pub use ask::{AskError, Asker};
pub use claims::{Label, Labelled};
pub use method::{Method, MethodError};
pub use question::{AsksFor, Reading};
