//! The arithmetic of a transformer encoder, on plain slices.
//!
//! | module | holds |
//! |---|---|
//! | [`matrix`] | activations with padded rows, weights in panels, their product |
//! | [`activation`] | the exponential, the error function, GELU and its kin |
//! | [`rows`] | softmax, layer norm and sums along rows |
//!
//! Every kernel is compiled for the widest vector instructions of the machine it runs on, chosen
//! at run time by `pulp`. Each output element is summed in one fixed order whatever stands beside
//! it, so a text's vector does not depend on its batch or on the number of threads.

pub(crate) mod activation;
pub(crate) mod matrix;
pub(crate) mod rows;
