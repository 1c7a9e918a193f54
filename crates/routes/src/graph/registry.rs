//! Capabilities with typed ports, as the graph knows them.

use std::collections::HashMap;
use std::sync::LazyLock;

use lahar_core::capability::{Availability, Capability, CapabilityKind};

use crate::port::TypedPort;
use crate::vocabulary;

/// A capability in the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: CapabilityKind,
    /// What it takes.
    pub inputs: Vec<TypedPort>,
    /// What it gives.
    pub outputs: Vec<TypedPort>,
    /// Cost by which workflows are compared: what a call changes, plus seconds.
    pub cost: f64,
    /// Version.
    pub version: String,
    /// Year of its publication, where it has one.
    pub published: Option<u16>,
    /// Why it cannot be run at all, where it cannot.
    pub unavailable: Option<String>,
}

/// What a call costs beside its seconds, by what it does.
fn weight(kind: CapabilityKind) -> f64 {
    match kind {
        CapabilityKind::Transformation => 0.2,
        CapabilityKind::Dataset => 0.1,
        _ => 1.0,
    }
}

impl Node {
    /// A registered capability.
    pub fn of(capability: &Capability) -> Node {
        // A page's year is that of the version that was read, not of the method.
        let dated = capability.citation.doi.starts_with("doi:")
            || capability.citation.doi.starts_with("10.");
        let method = capability.kind != CapabilityKind::Transformation && dated;
        Node {
            name: capability.name.to_owned(),
            kind: capability.kind,
            inputs: capability.inputs.iter().map(TypedPort::of).collect(),
            outputs: capability.outputs.iter().map(TypedPort::of).collect(),
            cost: weight(capability.kind) + capability.cost.nanoseconds * 1e-9,
            version: capability.version.to_owned(),
            published: method.then_some(capability.citation.year),
            unavailable: match capability.availability {
                Availability::Available => None,
                Availability::Unavailable(why) => Some(why.to_owned()),
                _ => Some("it cannot be run".to_owned()),
            },
        }
    }

    /// Whether it takes any variable, so that only the table of transformations may insert it.
    pub fn is_generic(&self) -> bool {
        let ports = self.inputs.iter().chain(&self.outputs);
        ports
            .into_iter()
            .any(|port| port.kind.variable == vocabulary::ANY)
    }
}

/// All capabilities, found by name and by what they give.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    nodes: Vec<Node>,
    by_name: HashMap<String, usize>,
    producers: HashMap<String, Vec<(usize, usize)>>,
}

static STANDARD: LazyLock<Registry> = LazyLock::new(|| {
    Registry::new(lahar_hazards::registry::all().map(|r| Node::of(&r.capability)))
});

impl Registry {
    /// The capabilities of this build.
    pub fn standard() -> &'static Registry {
        &STANDARD
    }

    /// A registry of nodes; of two with one name the first counts.
    pub fn new(nodes: impl IntoIterator<Item = Node>) -> Registry {
        let mut registry = Registry::default();
        for node in nodes {
            let at = registry.nodes.len();
            if registry.by_name.contains_key(&node.name) {
                continue;
            }
            registry.by_name.insert(node.name.clone(), at);
            if !node.is_generic() {
                for (port, output) in node.outputs.iter().enumerate() {
                    let own = output.kind.variable.as_str();
                    for variable in std::iter::once(own).chain(vocabulary::kinds_of(own)) {
                        let list = registry.producers.entry(variable.to_owned()).or_default();
                        list.push((at, port));
                    }
                }
            }
            registry.nodes.push(node);
        }
        registry
    }

    /// Every node.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of an index.
    pub fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    /// The index of a name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The node of a name.
    pub fn find(&self, name: &str) -> Option<&Node> {
        self.index(name).map(|at| &self.nodes[at])
    }

    /// Nodes and their output ports that give a variable or a kind of it.
    pub fn producers(&self, variable: &str) -> &[(usize, usize)] {
        self.producers.get(variable).map_or(&[], Vec::as_slice)
    }
}
