//! From a run to the entities of its crate.

use std::collections::BTreeMap;

use lahar_core::Timestamp;
use serde_json::{Map, Value as Json, json};

use super::{Datum, OnPort, RUN_FIELDS, Run, Step, slug};

const CRATE: &str = "https://w3id.org/ro/crate/1.1";
const WORKFLOW_CRATE: &str = "https://w3id.org/workflowhub/workflow-ro-crate/1.0";
const TERMS: &str = "https://w3id.org/ro/terms/workflow-run#";
const PARAMETER: &str = "https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE";
const COMPUTATIONAL: &str = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE";
/// Name of the program; there is no address for it.
const HOME: &str = "urn:lahar:program";
/// Name of the part of it that chooses routes. The profiles want a tool and the engine that runs
/// tools to be two things.
const AGENT: &str = "urn:lahar:agent";
const PROFILES: [(&str, &str, &str); 4] = [
    (
        "https://w3id.org/ro/wfrun/process/0.5",
        "Process Run Crate",
        "0.5",
    ),
    (
        "https://w3id.org/ro/wfrun/workflow/0.5",
        "Workflow Run Crate",
        "0.5",
    ),
    (
        "https://w3id.org/ro/wfrun/provenance/0.5",
        "Provenance Run Crate",
        "0.5",
    ),
    (WORKFLOW_CRATE, "Workflow RO-Crate", "1.0"),
];

/// The metadata document of a run.
pub fn metadata(run: &Run) -> Json {
    let term = |name: &str| json!(format!("{TERMS}{name}"));
    json!({
        "@context": [
            "https://w3id.org/ro/crate/1.1/context",
            {
                "prov": "http://www.w3.org/ns/prov#",
                "ParameterConnection": term("ParameterConnection"),
                "connection": term("connection"),
                "sourceParameter": term("sourceParameter"),
                "targetParameter": term("targetParameter"),
                "resourceUsage": term("resourceUsage"),
                "sha256": term("sha256"),
                "host": "urn:lahar:term:host",
            }
        ],
        "@graph": Graph::of(run).entities(),
    })
}

/// Entities in the order in which they were first named.
#[derive(Default)]
struct Graph {
    order: Vec<String>,
    entities: BTreeMap<String, Map<String, Json>>,
}

fn reference(id: impl AsRef<str>) -> Json {
    json!({ "@id": id.as_ref() })
}

/// One reference alone, several as a list.
fn references(ids: impl IntoIterator<Item = String>) -> Json {
    let mut seen: Vec<String> = Vec::new();
    for id in ids {
        if !seen.contains(&id) {
            seen.push(id);
        }
    }
    match seen.as_slice() {
        [one] => reference(one),
        several => Json::Array(several.iter().map(reference).collect()),
    }
}

/// ISO 8601 as the profiles want it.
fn time(at: Timestamp) -> Json {
    json!(at.to_string().replace('Z', "+00:00"))
}

fn tool_id(step: &Step) -> String {
    format!("urn:lahar:capability:{}", slug(&step.capability))
}

fn parameter_id(step: &Step, side: &str, port: &str) -> String {
    format!("#{}-{side}-{}", slug(&step.capability), slug(port))
}

impl Graph {
    fn add(&mut self, id: &str, entity: Json) {
        let Json::Object(fields) = entity else { return };
        if !self.entities.contains_key(id) {
            self.order.push(id.to_owned());
        }
        let known = self.entities.entry(id.to_owned()).or_default();
        known.insert("@id".to_owned(), json!(id));
        known.extend(fields);
    }

    /// Adds a reference to a property that may already hold some.
    fn refer(&mut self, id: &str, property: &str, to: &str) {
        let Some(entity) = self.entities.get_mut(id) else {
            return;
        };
        let new = reference(to);
        match entity.get_mut(property) {
            None => {
                entity.insert(property.to_owned(), new);
            }
            Some(Json::Array(list)) if !list.contains(&new) => list.push(new),
            Some(Json::Array(_)) => {}
            Some(one) if *one == new => {}
            Some(one) => *one = json!([one.clone(), new]),
        }
    }

    fn entities(mut self) -> Json {
        let entities = self.order.iter().filter_map(|id| self.entities.remove(id));
        Json::Array(entities.map(Json::Object).collect())
    }

    fn of(run: &Run) -> Graph {
        let mut graph = Graph::default();
        graph.root(run);
        graph.programs(run);
        for file in &run.files {
            graph.file(file);
        }
        graph.workflow(run);
        graph.steps(run);
        graph.run(run);
        graph
    }

    fn root(&mut self, run: &Run) {
        self.add(
            super::METADATA,
            json!({
                "@type": "CreativeWork",
                "about": reference("./"),
                "conformsTo": [reference(CRATE), reference(WORKFLOW_CRATE)],
            }),
        );
        let mut mentions = vec!["#run".to_owned(), "#decide".to_owned()];
        mentions.extend((1..=run.steps.len()).map(|at| format!("#execution-{at}")));
        self.add(
            "./",
            json!({
                "@type": "Dataset",
                "name": run.name,
                "description": run.description,
                "datePublished": time(run.ended),
                "license": reference("#licence"),
                "author": reference("#operator"),
                "publisher": reference("#publisher"),
                "conformsTo": references(PROFILES.map(|(id, ..)| id.to_owned())),
                "mainEntity": reference(&run.workflow),
                "hasPart": references(run.files.iter().map(|file| file.path.clone())),
                "mentions": references(mentions),
                "identifier": reference("#run-fields"),
            }),
        );
        for (id, name, version) in PROFILES {
            self.add(
                id,
                json!({"@type": "CreativeWork", "name": name, "version": version}),
            );
        }
        self.add(
            "#licence",
            json!({
                "@type": "CreativeWork",
                "name": "Licences of the inputs",
                "description": "What was computed here may be used as the licences of its inputs \
                    allow; each input names its source.",
            }),
        );
        self.add(
            "#run-fields",
            json!({
                "@type": "PropertyValue",
                "name": "fields that differ from run to run",
                "description": "Without these keys, the record of another run of the same task is \
                    equal to this one.",
                "value": RUN_FIELDS,
            }),
        );
        self.add(
            "#operator",
            json!({"@type": "Person", "name": "whoever ran the analysis"}),
        );
        self.add(
            "#publisher",
            json!({"@type": "Organization", "name": "the operator's organisation", "url": HOME}),
        );
    }

    fn programs(&mut self, run: &Run) {
        self.add(
            HOME,
            json!({
                "@type": ["SoftwareApplication", "prov:SoftwareAgent"],
                "name": "Lahar",
                "url": HOME,
                "softwareVersion": run.version,
            }),
        );
        self.add(
            AGENT,
            json!({
                "@type": ["SoftwareApplication", "prov:SoftwareAgent"],
                "name": "Lahar, choice of routes",
                "url": HOME,
                "softwareVersion": run.version,
            }),
        );
        self.add(
            "#language",
            json!({
                "@type": "ComputerLanguage",
                "name": "Lahar workflow",
                "identifier": reference("urn:lahar:workflow"),
                "url": reference("urn:lahar:workflow"),
                "version": "1",
            }),
        );
    }

    fn file(&mut self, file: &super::RunFile) {
        let mut properties = Vec::new();
        for (name, value) in &file.properties {
            let id = format!("#{}-{}", slug(&file.path), slug(name));
            self.add(
                &id,
                json!({"@type": "PropertyValue", "name": name, "value": value}),
            );
            properties.push(id);
        }
        let mut entity = json!({
            "@type": ["File", "prov:Entity"],
            "name": file.name,
            "encodingFormat": file.media_type,
            "contentSize": file.size.to_string(),
            "sha256": file.sha256.to_string(),
        });
        if !properties.is_empty() {
            entity["additionalProperty"] = references(properties);
        }
        if !file.derived_from.is_empty() {
            entity["prov:wasDerivedFrom"] = references(file.derived_from.iter().cloned());
        }
        self.add(&file.path, entity);
    }

    fn datum(&mut self, on_port: &OnPort) -> String {
        let id = on_port.datum.id();
        if let Datum::Written {
            id: name,
            value,
            unit,
        } = &on_port.datum
        {
            let mut entity = json!({
                "@type": ["PropertyValue", "prov:Entity"],
                "name": name,
                "value": value,
            });
            if let Some(unit) = unit {
                entity["unitText"] = json!(unit);
            }
            self.add(&id, entity);
        }
        id
    }

    fn parameter(&mut self, id: &str, on_port: &OnPort) {
        let kind = match on_port.datum {
            Datum::File(_) => "File",
            Datum::Written { .. } => "PropertyValue",
        };
        let datum = self.datum(on_port);
        let known = self.entities.contains_key(id);
        if !known {
            self.add(
                id,
                json!({
                    "@type": "FormalParameter",
                    "conformsTo": reference(PARAMETER),
                    "name": on_port.port,
                    "additionalType": kind,
                }),
            );
        }
        self.refer(id, "workExample", &datum);
        self.refer(&datum, "exampleOfWork", id);
    }

    fn workflow(&mut self, run: &Run) {
        let mut sides: [Vec<String>; 2] = [Vec::new(), Vec::new()];
        for (side, (name, ports)) in [("takes", &run.given), ("gives", &run.results)]
            .into_iter()
            .enumerate()
        {
            for on_port in ports {
                let id = format!("#workflow-{name}-{}", slug(&on_port.port));
                self.parameter(&id, on_port);
                sides[side].push(id);
            }
        }
        let mut tools = vec![AGENT.to_owned()];
        tools.extend(run.steps.iter().map(tool_id));
        let mut steps = vec!["#step-decide".to_owned()];
        steps.extend((1..=run.steps.len()).map(|at| format!("#step-{at}")));
        let mut entity = json!({
            "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo", "prov:Plan"],
            "conformsTo": reference(COMPUTATIONAL),
            "programmingLanguage": reference("#language"),
            "version": run.version,
            "url": HOME,
            "hasPart": references(tools),
            "step": references(steps),
        });
        let [takes, gives] = sides;
        if !takes.is_empty() {
            entity["input"] = references(takes);
        }
        if !gives.is_empty() {
            entity["output"] = references(gives);
        }
        self.add(&run.workflow, entity);
    }

    fn steps(&mut self, run: &Run) {
        self.decision(run);
        // Where each datum came from: the parameter that gave it, to draw connections.
        let mut made_by: BTreeMap<String, String> = BTreeMap::new();
        for on_port in &run.given {
            let id = format!("#workflow-takes-{}", slug(&on_port.port));
            made_by.insert(on_port.datum.id(), id);
        }
        for (at, step) in run.steps.iter().enumerate() {
            self.step(run, at + 1, step, &mut made_by);
        }
        for on_port in &run.results {
            let target = format!("#workflow-gives-{}", slug(&on_port.port));
            if let Some(source) = made_by.get(&on_port.datum.id()).cloned() {
                self.connect(&run.workflow, &source, &target);
            }
        }
    }

    fn connect(&mut self, owner: &str, source: &str, target: &str) {
        let id = format!("#from-{}-to-{}", slug(source), slug(target));
        self.add(
            &id,
            json!({
                "@type": "ParameterConnection",
                "sourceParameter": reference(source),
                "targetParameter": reference(target),
            }),
        );
        self.refer(owner, "connection", &id);
    }

    /// The program itself as the first tool: it chose the route, and where it abstained nothing
    /// else ran.
    fn decision(&mut self, run: &Run) {
        self.add(
            "#step-decide",
            json!({"@type": "HowToStep", "position": "0", "name": "choose a route",
                "workExample": reference(AGENT)}),
        );
        self.add(
            "#decide",
            json!({
                "@type": ["CreateAction", "prov:Activity"],
                "name": "choose a route, step by step",
                "description": "Which routes hold and can run, after every step, and why.",
                "instrument": reference(AGENT),
                "agent": reference("#operator"),
                "object": reference(&run.task),
                "result": reference(&run.decisions),
                "startTime": time(run.started),
                "endTime": time(run.ended),
                "prov:used": reference(&run.task),
                "actionStatus": reference("http://schema.org/CompletedActionStatus"),
            }),
        );
        self.refer(&run.decisions, "prov:wasGeneratedBy", "#decide");
        self.add(
            "#control-decide",
            json!({"@type": "ControlAction", "name": "run of `choose a route`",
                "instrument": reference("#step-decide"), "object": reference("#decide")}),
        );
    }

    fn step(&mut self, run: &Run, at: usize, step: &Step, made_by: &mut BTreeMap<String, String>) {
        let tool = tool_id(step);
        let (execution, how_to) = (format!("#execution-{at}"), format!("#step-{at}"));
        self.add(
            &tool,
            json!({
                "@type": ["SoftwareApplication", "prov:SoftwareAgent"],
                "name": step.capability,
                "description": step.function,
                "url": HOME,
                "softwareVersion": step.version,
                "citation": step.source,
            }),
        );
        self.add(
            &how_to,
            json!({"@type": "HowToStep", "position": at.to_string(), "name": step.capability,
                "workExample": reference(&tool)}),
        );
        for (side, property, ports) in [
            ("takes", "input", &step.inputs),
            ("gives", "output", &step.outputs),
        ] {
            for on_port in ports {
                let id = parameter_id(step, side, &on_port.port);
                self.parameter(&id, on_port);
                self.refer(&tool, property, &id);
                match side {
                    "takes" => {
                        if let Some(source) = made_by.get(&on_port.datum.id()).cloned() {
                            self.connect(&how_to, &source, &id);
                        }
                    }
                    _ => {
                        made_by.insert(on_port.datum.id(), id);
                    }
                }
            }
        }
        let ids = |ports: &[OnPort]| ports.iter().map(|p| p.datum.id()).collect::<Vec<_>>();
        let (objects, results) = (ids(&step.inputs), ids(&step.outputs));
        let status = match step.error {
            None => "http://schema.org/CompletedActionStatus",
            Some(_) => "http://schema.org/FailedActionStatus",
        };
        let mut entity = json!({
            "@type": ["CreateAction", "prov:Activity"],
            "name": format!("run of {}", step.capability),
            "description": step.function,
            "instrument": reference(&tool),
            "agent": reference("#operator"),
            "startTime": time(step.started),
            "endTime": time(step.ended),
            "actionStatus": reference(status),
            "prov:qualifiedAssociation": reference(format!("#association-{at}")),
        });
        if !objects.is_empty() {
            entity["object"] = references(objects.clone());
            entity["prov:used"] = references(objects);
        }
        if !results.is_empty() {
            entity["result"] = references(results.clone());
        }
        if let Some(error) = &step.error {
            entity["error"] = json!(error);
        }
        self.add(&execution, entity);
        self.add(
            &format!("#association-{at}"),
            json!({"@type": "prov:Association", "prov:agent": reference(&tool),
                "prov:hadPlan": reference(&run.workflow)}),
        );
        for result in results {
            self.refer(&result, "prov:wasGeneratedBy", &execution);
        }
        self.add(
            &format!("#control-{at}"),
            json!({"@type": "ControlAction", "name": format!("step {at}"),
                "instrument": reference(&how_to), "object": reference(&execution)}),
        );
    }

    fn run(&mut self, run: &Run) {
        let given = run.given.iter().map(|on_port| on_port.datum.id());
        let mut objects = vec![run.task.clone()];
        objects.extend(given);
        let mut results = vec![run.decisions.clone()];
        results.extend(run.results.iter().map(|on_port| on_port.datum.id()));
        self.add(
            "#run",
            json!({
                "@type": ["CreateAction", "prov:Activity"],
                "name": run.name,
                "description": run.description,
                "instrument": reference(&run.workflow),
                "agent": reference("#operator"),
                "object": references(objects),
                "result": references(results),
                "startTime": time(run.started),
                "endTime": time(run.ended),
                "host": run.host,
                "actionStatus": reference("http://schema.org/CompletedActionStatus"),
            }),
        );
        let mut controls = vec!["#control-decide".to_owned()];
        controls.extend((1..=run.steps.len()).map(|at| format!("#control-{at}")));
        self.add(
            "#organise",
            json!({
                "@type": "OrganizeAction",
                "name": "Lahar carried out the workflow",
                "instrument": reference(HOME),
                "agent": reference("#operator"),
                "object": references(controls),
                "result": reference("#run"),
                "startTime": time(run.started),
                "endTime": time(run.ended),
            }),
        );
    }
}
