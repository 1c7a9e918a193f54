//! Every step of a run, so that another program can check each decision.

use std::collections::BTreeMap;
use std::sync::Arc;

use lahar_core::capability::Value;
use serde::{Deserialize, Serialize, Serializer};

use crate::port::PortType;
use crate::state::{Artifact, Change};
use crate::task::{Budget, Recovery};
use crate::verdict::{Truth, Verdict};

/// Where an input of a call comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Binding {
    /// An artifact that is at hand.
    Artifact(String),
    /// An output of an earlier call of the same workflow.
    Output {
        /// Which call, counted from 0.
        call: usize,
        /// Which port.
        port: String,
    },
    /// A value that the card fixes.
    Constant(Value),
}

/// One capability with its inputs bound.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Call {
    /// Capability.
    pub capability: String,
    /// Stage that it realises; none for a transformation.
    pub stage: Option<String>,
    /// Inputs by port.
    pub inputs: BTreeMap<String, Binding>,
    /// Types of the outputs that are used, by port.
    pub outputs: BTreeMap<String, PortType>,
}

/// A realisation of a route: calls in the order in which they run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Workflow {
    /// The calls.
    pub calls: Vec<Call>,
    /// Which call and port gives the answer; none where an artifact at hand does.
    pub answer: Option<(usize, String)>,
    /// Artifact at hand that is the answer.
    pub at_hand: Option<String>,
    /// Cost by which realisations are compared.
    pub cost: f64,
}

/// Whether a route may be used, scientifically (HazardWeaver, arXiv:2610.03591, equation 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Applicability {
    /// A required condition is violated.
    Inapplicable,
    /// A required condition is not known to hold.
    Undetermined,
    /// Every required condition holds.
    Applicable,
}

impl From<Truth> for Applicability {
    fn from(truth: Truth) -> Applicability {
        match truth {
            Truth::Satisfied => Applicability::Applicable,
            Truth::Violated => Applicability::Inapplicable,
            Truth::Undetermined => Applicability::Undetermined,
        }
    }
}

/// Whether a route can be run now (HazardWeaver, arXiv:2610.03591, equation 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reachability {
    /// No workflow realises it.
    Unavailable,
    /// Whether one does is not known.
    Undetermined,
    /// At least one workflow realises it.
    Reachable,
}

/// Why a port cannot be served.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PortFailure {
    /// Capability that needs it.
    pub capability: String,
    /// Port.
    pub port: String,
    /// Variable that the port needs.
    pub variable: String,
    /// Field of the type that does not fit, such as `unit`; none where nothing comes near.
    pub field: Option<String>,
    /// In words.
    pub why: String,
}

/// What is known of one route at one state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RouteStatus {
    /// Route.
    pub route: String,
    /// Whether it may be used.
    pub applicability: Applicability,
    /// Whether it can be run.
    pub reachability: Reachability,
    /// Its conditions.
    pub verdicts: Vec<Verdict>,
    /// Ports that cannot be served.
    pub ports: Vec<PortFailure>,
    /// Why the route is out, in sentences; empty where it is in.
    pub reasons: Vec<String>,
    /// Its cheapest realisation.
    pub workflow: Option<Workflow>,
}

impl RouteStatus {
    /// Whether it belongs to the eligible set (equation 1).
    pub fn is_eligible(&self) -> bool {
        self.applicability == Applicability::Applicable
            && self.reachability == Reachability::Reachable
    }

    /// How many of its conditions rest on a named source whose sentence was not found.
    pub fn only_cited(&self) -> usize {
        let cited = |verdict: &&Verdict| verdict.evidence == crate::verdict::Evidence::Cited;
        self.verdicts.iter().filter(cited).count()
    }
}

/// One of the eight operations (HazardWeaver, arXiv:2610.03591, table B.2).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "operation")]
pub enum Operation {
    /// Reads what is at hand.
    InspectState,
    /// Reads a route's conditions, capabilities and contract.
    InspectRoute {
        /// Route.
        route: String,
    },
    /// Runs a capability.
    ExecuteCapability {
        /// Capability.
        capability: String,
        /// Route it is run for.
        route: String,
    },
    /// Asks for an observation.
    RequestInformation {
        /// Variable.
        variable: String,
    },
    /// Rebuilds the workflow of the route that is committed to.
    RepairWorkflow {
        /// Route.
        route: String,
        /// What changed in it.
        how: String,
    },
    /// Commits to a route, the first or another one.
    ChangeRoute {
        /// Route before.
        from: Option<String>,
        /// Route now.
        to: String,
    },
    /// Returns the artifact.
    SubmitArtifact {
        /// Artifact.
        artifact: String,
    },
    /// Abstains.
    SubmitAbstention,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// Number, from 1.
    pub number: u64,
    /// Version of the state before.
    pub before: u64,
    /// Version of the state after.
    pub after: u64,
    /// What was done.
    #[serde(flatten)]
    pub operation: Operation,
    /// Changes of the state.
    pub changes: Vec<Change>,
    /// Eligible routes after the step, by id.
    pub eligible: Vec<String>,
    /// Why, in a sentence.
    pub note: String,
}

/// A commitment to a route.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Commitment {
    /// Step at which it was made.
    pub step: u64,
    /// Version of the state.
    pub state: u64,
    /// Route.
    pub route: String,
    /// Realisation.
    pub workflow: Workflow,
    /// Routes that were eligible.
    pub eligible: Vec<String>,
    /// Why this one.
    pub why: String,
}

/// An action by which a search for a way out got from one state to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Action {
    /// Which kind.
    pub recovery: Recovery,
    /// On what: a variable, a capability or a route.
    pub on: String,
    /// What it costs.
    pub cost: Budget,
}

/// A state that the search looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explored {
    /// Actions that lead there from the state at which the search began.
    pub actions: Vec<Action>,
    /// What they cost together.
    pub cost: Budget,
    /// Blocking reason of each route there.
    pub blocked: BTreeMap<String, String>,
}

/// The least that would make a route eligible.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unblock {
    /// Route.
    pub route: String,
    /// What is needed, in sentences.
    pub needs: Vec<String>,
    /// Number of needs.
    pub cost: f64,
}

/// Proof that no eligible route was reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Certificate {
    /// Why the run ends here.
    pub reason: String,
    /// States that were looked at.
    pub explored: Vec<Explored>,
    /// Whether the search looked at every state within the budget.
    pub complete: bool,
    /// Budget that was left.
    pub left: Budget,
    /// Blocking reasons by route.
    pub blocking: BTreeMap<String, Vec<String>>,
    /// What would unblock a route at the least cost.
    pub unblock: Option<Unblock>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "decision")]
pub enum End {
    /// An artifact was returned.
    Submit {
        /// Route.
        route: String,
        /// Artifact.
        artifact: String,
    },
    /// None was.
    Abstain {
        /// Proof.
        certificate: Box<Certificate>,
    },
}

/// A run from the first state to the artifact or the abstention.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trajectory {
    /// Task.
    pub task: String,
    /// Policy.
    pub policy: String,
    /// Steps.
    pub steps: Vec<Step>,
    /// Commitments.
    pub commitments: Vec<Commitment>,
    /// How it ended.
    pub end: End,
    /// Routes at the last state.
    pub routes: Vec<RouteStatus>,
    /// Everything that was at hand at the end.
    #[serde(serialize_with = "each")]
    pub artifacts: Vec<Arc<Artifact>>,
    /// What to ask, so that more routes are known.
    pub questions: Vec<String>,
    /// What executions noted.
    pub notes: Vec<String>,
}

fn each<S: Serializer>(artifacts: &[Arc<Artifact>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(artifacts.iter().map(Arc::as_ref))
}

impl Trajectory {
    /// The artifact that was returned.
    pub fn answer(&self) -> Option<&Arc<Artifact>> {
        match &self.end {
            End::Submit { artifact, .. } => self.artifacts.iter().find(|a| a.id == *artifact),
            End::Abstain { .. } => None,
        }
    }
}

/// The id by which a constant of a card stands among the inputs of a derived artifact. It begins
/// with `=`, as no artifact's does.
pub fn constant_id(value: &Value) -> String {
    match value {
        Value::Quantity(quantity) => format!("={quantity}"),
        Value::Label(word) => format!("={word}"),
        _ => "=(a value)".to_owned(),
    }
}
