//! Executing a call, asking for information, and writing down what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use lahar_core::Quantity;
use lahar_core::capability::Value;

use crate::applicability::Case;
use crate::applicability::case::Fact;
use crate::error::RoutesError;
use crate::executor::{Execution, Invocation};
use crate::port::{PortType, PortUnit, Representation, representation_of, unit_of};
use crate::state::{Change, Output, State};
use crate::task::{Budget, Health};
use crate::trajectory::{Binding, Call, Operation, Workflow, constant_id};

use super::{ONE_STEP, Run};

impl Run<'_> {
    /// Runs the first call of a workflow.
    pub(super) fn execute(&mut self, route: &str, workflow: &Workflow) -> Result<(), RoutesError> {
        let call = &workflow.calls[0];
        let before = self.state.version();
        let (mut inputs, mut ids) = (BTreeMap::new(), BTreeMap::new());
        let mut deviations: BTreeMap<String, Quantity> = BTreeMap::new();
        for (port, binding) in &call.inputs {
            match binding {
                Binding::Artifact(id) => {
                    let artifact = self.state.artifact(id).ok_or_else(|| RoutesError::Change {
                        why: format!("`{id}` is needed by `{}` and not at hand", call.capability),
                    })?;
                    inputs.insert(port.clone(), Arc::clone(&artifact.value));
                    if let Some(deviation) = &artifact.deviation {
                        deviations.insert(port.clone(), deviation.clone());
                    }
                    ids.insert(port.clone(), id.clone());
                }
                Binding::Constant(value) => {
                    ids.insert(port.clone(), constant_id(value));
                    inputs.insert(port.clone(), Arc::new(value.clone()));
                }
                Binding::Output { .. } => {
                    return Err(RoutesError::Change {
                        why: format!("`{}` would be run before what it needs", call.capability),
                    });
                }
            }
        }
        let invocation = Invocation {
            capability: &call.capability,
            inputs,
            deviations,
            context: context(&self.state),
            left: *self.state.left(),
        };
        let result = self.executor.execute(&invocation);
        let mut changes = Vec::new();
        let note;
        match result {
            Ok(execution) => {
                let change = self.executed(route, call, ids, &execution);
                note = format!("`{}` ran", call.capability);
                self.notes.extend(execution.notes);
                changes.push(self.take(change)?);
            }
            Err(failure) => {
                note = format!("`{}` failed: {failure}", call.capability);
                let why = failure.to_string();
                changes.push(self.take(Change::Failed {
                    capability: call.capability.clone(),
                    failure,
                    spent: ONE_STEP,
                })?);
                // The same call would fail again.
                if self.state.health(&call.capability) != Health::Lost {
                    changes.push(self.take(Change::Health {
                        capability: call.capability.clone(),
                        health: Health::Lost,
                        why,
                    })?);
                }
            }
        }
        let operation = Operation::ExecuteCapability {
            capability: call.capability.clone(),
            route: route.to_owned(),
        };
        // A result that was refused must not be computed again and again.
        let refused = changes.iter().find_map(|change| match change {
            Change::Refused { why, .. } => Some(why.clone()),
            _ => None,
        });
        if let Some(why) = refused {
            changes.push(self.take(Change::Health {
                capability: call.capability.clone(),
                health: Health::Lost,
                why,
            })?);
            changes.push(self.take(Change::Spent { spent: ONE_STEP })?);
        }
        self.recompute();
        self.record(before, operation, changes, note);
        Ok(())
    }

    fn executed(
        &self,
        route: &str,
        call: &Call,
        inputs: BTreeMap<String, String>,
        execution: &Execution,
    ) -> Change {
        let mut outputs = Vec::new();
        for (port, value) in &execution.outputs {
            let Some(kind) = call.outputs.get(port).cloned().or_else(|| {
                let node = self.registry.find(&call.capability)?;
                let output = node.outputs.iter().find(|output| output.name == *port)?;
                Some(output.kind.clone())
            }) else {
                continue;
            };
            let kind = PortType {
                space: match representation_of(value) {
                    Representation::Grid => lahar_core::capability::Support::Cell,
                    _ => kind.space,
                },
                representation: representation_of(value),
                unit: match unit_of(value) {
                    PortUnit::None => PortUnit::None,
                    unit => unit,
                },
                resolution: match representation_of(value) {
                    // A grid says itself how large its cells are.
                    Representation::Grid => None,
                    _ => kind.resolution.clone(),
                },
                ..kind
            };
            outputs.push(Output {
                id: self.fresh(&format!("{}/{port}", call.capability)),
                kind,
                value: Arc::clone(value),
                deviation: execution.deviations.get(port).cloned(),
            });
        }
        Change::Executed {
            capability: call.capability.clone(),
            version: execution.version.clone(),
            route: (!route.is_empty()).then(|| route.to_owned()),
            inputs,
            outputs,
            spent: Budget {
                steps: 1,
                seconds: execution.seconds.max(0.0),
                cost: 0.0,
            },
        }
    }

    fn fresh(&self, name: &str) -> String {
        let mut id = name.to_owned();
        let mut count = 1;
        while self.state.artifact(&id).is_some() {
            count += 1;
            id = format!("{name}#{count}");
        }
        id
    }

    /// Asks for a variable.
    pub(super) fn ask(&mut self, variable: &str) -> Result<(), RoutesError> {
        let before = self.state.version();
        let listed = self.state.task().obtainable.iter();
        let obtainable = listed.clone().find(|o| o.variable == variable).cloned();
        let spent = obtainable.as_ref().map_or(ONE_STEP, |obtainable| Budget {
            steps: 1,
            seconds: obtainable.seconds,
            cost: obtainable.cost,
        });
        let mut changes = vec![self.take(Change::Requested {
            variable: variable.to_owned(),
            spent,
        })?];
        let answer = match obtainable.and_then(|obtainable| obtainable.observation) {
            Some(observation) => Some(observation),
            None => self.executor.obtain(variable, &self.state),
        };
        let note = match &answer {
            Some(observation) => format!("{} answers", observation.source),
            None => "nobody answers".to_owned(),
        };
        if let Some(observation) = answer {
            changes.push(self.take(Change::Observed {
                observation: Box::new(observation),
            })?);
        }
        self.recompute();
        let operation = Operation::RequestInformation {
            variable: variable.to_owned(),
        };
        self.record(before, operation, changes, note);
        Ok(())
    }
}

/// What is known of the case beside the ports, by variable: single numbers and words.
fn context(state: &State) -> BTreeMap<String, Arc<Value>> {
    let case = Case::of(state);
    let mut context: BTreeMap<String, Arc<Value>> = BTreeMap::new();
    for (name, fact) in case.facts() {
        let value = match fact {
            Fact::Number(quantity) => Value::Quantity(quantity.clone()),
            Fact::Words(words) => match words.as_slice() {
                [word] => Value::Label(word.clone()),
                _ => continue,
            },
        };
        context.insert((*name).to_owned(), Arc::new(value));
    }
    for artifact in state.artifacts() {
        let variable = &artifact.kind.variable;
        if let Some(best) = case.artifacts(variable).first()
            && matches!(best.value.as_ref(), Value::Quantity(_) | Value::Label(_))
        {
            context.insert(variable.clone(), Arc::clone(&best.value));
        }
    }
    context
}
