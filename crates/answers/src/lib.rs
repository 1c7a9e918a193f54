//! From a question to a cited answer, a warning or an abstention.
//!
//! ```text
//! question -> reading -> retrieve -> which chunks bear on it? -> for which place? -> quote -> Answer
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`ask`] | the whole way, over one library |
//! | [`question`] | what a question asks for, and the names and years it insists on |
//! | [`terms`] | words made comparable |
//! | [`geography`] | whether it holds for the place asked about |
//! | [`bearing`] | whether a retrieved chunk may be quoted at all |
//! | [`sentences`], [`units`] | what can be quoted: whole sentences, items, rows |
//! | [`writer`] | the choice among them |
//! | [`chat_writer`] | an answer in a chat model's words, each sentence held to its quotations |
//! | [`claims`] | statements checked, options chosen: labels with the words that decided |
//! | [`answer`] | answers as values that cannot be made without a quotation |
//! | [`method`] | our way and the baselines it is compared with |

pub mod answer;
pub mod ask;
pub mod bearing;
pub mod chat_writer;
pub mod claims;
mod evidence;
pub mod geography;
pub mod method;
pub mod mora;
mod numerals;
pub mod question;
mod quote;
pub mod sentences;
pub mod terms;
pub mod units;
pub mod writer;

pub use answer::{Answer, Citation, Cited, CitedPlace, Considered, Outcome, Statement, Trace};
pub use ask::{AskError, Asker, Without};
pub use claims::{Ground, Label, Labelled};
pub use method::{Method, MethodError};
pub use question::{AsksFor, Reading};
