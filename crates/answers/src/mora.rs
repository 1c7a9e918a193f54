//! The agents of MoRA-RAG (mixture of retrieval, verification loop): which hazards a question is
//! about, how many candidates each gets, whether the evidence suffices, and what to ask next.
//!
//! | module | holds |
//! |---|---|
//! | [`router`] | a share for each hazard, budgets of equation 8, replies of models read |
//! | [`algorithm`] | Algorithm 1 over any agents, as printed and as we run it, step by step |
//! | [`rewriter`] | the question in other words of the field |
//! | `loops` | the agents by rules, over a library |

pub mod algorithm;
mod loops;
pub mod rewriter;
pub mod router;

pub use algorithm::{Behaviour, Step, Sufficiency};
pub use router::{Budget, Fired, Routing};
