//! Every model gives the same whatever unit its inputs come in.

use std::collections::BTreeMap;

use lahar_core::capability::{CapabilityKind, PortKind, Value};
use lahar_core::{Quantity, RandomStream, Unit};
use lahar_hazards::registry::{self, ANY_UNIT, RunOptions};

#[test]
fn every_model_gives_the_same_in_the_units_of_the_si() {
    let options = RunOptions {
        allow_outside: true,
    };
    let (mut models, mut compared) = (0, 0);
    for registration in registry::all().filter(|r| r.is_available()) {
        let capability = &registration.capability;
        let plain = capability.inputs.iter().all(|port| match port.kind {
            PortKind::Number { unit, .. } => unit != ANY_UNIT,
            PortKind::Label { .. } => true,
            _ => false,
        });
        if !plain || capability.kind == CapabilityKind::Transformation {
            continue;
        }
        models += 1;
        let mut stream = RandomStream::new(6, models);
        for _ in 0..40 {
            let (mut own, mut other) = (BTreeMap::new(), BTreeMap::new());
            for port in capability.inputs {
                let name = port.name.to_owned();
                match port.kind {
                    PortKind::Number {
                        unit,
                        lowest,
                        highest,
                    } => {
                        let (low, high) = (lowest.max(-100.0), highest.min(100.0));
                        let value = low + (high - low) * stream.uniform();
                        let unit: Unit = unit.parse().unwrap();
                        let quantity = Quantity::new(value, unit.clone());
                        // Scales of magnitude have one unit only.
                        let si = unit.dimension().si_symbol().parse();
                        let changed = match si.map(|si| quantity.convert(&si)) {
                            Ok(Ok(changed)) => changed,
                            _ => quantity.clone(),
                        };
                        own.insert(name.clone(), Value::Quantity(quantity));
                        other.insert(name, Value::Quantity(changed));
                    }
                    PortKind::Label { one_of } => {
                        let at = (stream.uniform() * one_of.len() as f64) as usize;
                        let word = Value::Label(one_of[at.min(one_of.len() - 1)].to_owned());
                        own.insert(name.clone(), word.clone());
                        other.insert(name, word);
                    }
                    _ => {}
                }
            }
            let (here, there) = (
                registration.run_with(&own, &options),
                registration.run_with(&other, &options),
            );
            let (Ok(here), Ok(there)) = (&here, &there) else {
                assert_eq!(here.is_ok(), there.is_ok(), "{}: {own:?}", capability.name);
                continue;
            };
            for port in here.outputs.keys() {
                let (Some(a), Some(b)) = (here.number(port), there.number(port)) else {
                    continue;
                };
                let close = (a - b).abs() <= 1e-9 * a.abs().max(1e-12) || a.is_nan() && b.is_nan();
                assert!(close || a == b, "{} {port}: {a} {b}", capability.name);
                compared += 1;
            }
        }
    }
    assert!(
        models >= 30 && compared > 600,
        "{models} models, {compared} numbers"
    );
}
