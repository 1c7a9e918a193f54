//! Changes of representation that a search may insert. Each is a registered capability with its
//! own loss; what keeps the information as it is needs none.

use std::collections::BTreeMap;

use lahar_core::Quantity;
use lahar_core::capability::Value;

use crate::port::{PortType, PortUnit, Representation};

use super::compatibility::{Field, Fields, mismatches, resolutions};

/// One change, ready to be called.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Capability.
    pub capability: &'static str,
    /// Port of the value that is changed.
    pub input: &'static str,
    /// Port of the result.
    pub output: &'static str,
    /// Other inputs.
    pub with: BTreeMap<String, With>,
    /// Type of the result.
    pub kind: PortType,
    /// Cost.
    pub cost: f64,
}

/// An input of a change beside the value.
#[derive(Debug, Clone, PartialEq)]
pub enum With {
    /// A constant.
    Constant(Value),
    /// An artifact at hand, as a pattern of cells.
    Like(String),
}

/// A grid at hand whose cells may serve as a pattern: its id and the side of its cells in metres.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// Artifact.
    pub id: String,
    /// Side of a cell in metres.
    pub metres: f64,
}

/// A change that mends one field of a given type, or none where it does not apply.
type Mend = fn(&PortType, &PortType, &[Pattern]) -> Option<Change>;

/// Changes in the order in which they are tried. Each mends one field.
const ORDER: &[Mend] = &[rasterise, resample, aggregate, convert_number, convert_grid];

/// At most so many changes stand in a row.
const LONGEST: usize = 3;

/// Changes by which a given type becomes a wanted one; none where no row of changes does it, and
/// an empty row where none is needed.
pub fn changes(given: &PortType, wanted: &PortType, patterns: &[Pattern]) -> Option<Vec<Change>> {
    let mut row = Vec::new();
    let mut at = given.clone();
    loop {
        let apart = mismatches(&at, wanted);
        if apart.is_empty() {
            return Some(row);
        }
        let mendable = Fields::of(&[Field::Unit, Field::Representation, Field::Resolution]);
        let only = [
            Field::Variable,
            Field::Space,
            Field::Time,
            Field::Uncertainty,
            Field::Lineage,
        ];
        let stuck = only
            .iter()
            .any(|field| apart.has(*field) && !mendable.has(*field));
        // Shapes become cells, so that a wrong support in space is mended with them.
        let shapes = at.representation == Representation::Shapes;
        if (stuck && !shapes) || row.len() == LONGEST {
            return None;
        }
        let next = ORDER
            .iter()
            .find_map(|change| change(&at, wanted, patterns))?;
        if mismatches(&next.kind, wanted).count() >= apart.count() {
            return None;
        }
        at = next.kind.clone();
        row.push(next);
    }
}

fn constant(value: Quantity) -> With {
    With::Constant(Value::Quantity(value))
}

fn word(word: &str) -> With {
    With::Constant(Value::Label(word.to_owned()))
}

fn rasterise(given: &PortType, wanted: &PortType, patterns: &[Pattern]) -> Option<Change> {
    let fits = given.representation == Representation::Shapes
        && wanted.representation == Representation::Grid;
    let pattern = patterns.first().filter(|_| fits)?;
    Some(Change {
        capability: "rasterise",
        input: "shapes",
        output: "result",
        with: BTreeMap::from([("like".to_owned(), With::Like(pattern.id.clone()))]),
        kind: PortType {
            representation: Representation::Grid,
            unit: PortUnit::Of("1".parse().ok()?),
            space: lahar_core::capability::Support::Cell,
            resolution: Quantity::of(pattern.metres, "m").ok(),
            ..given.clone()
        },
        cost: 0.5,
    })
}

fn convert_number(given: &PortType, wanted: &PortType, _: &[Pattern]) -> Option<Change> {
    convert(
        given,
        wanted,
        Representation::Number,
        "unit-conversion",
        "value",
    )
}

fn convert_grid(given: &PortType, wanted: &PortType, _: &[Pattern]) -> Option<Change> {
    convert(
        given,
        wanted,
        Representation::Grid,
        "grid-unit-conversion",
        "grid",
    )
}

fn convert(
    given: &PortType,
    wanted: &PortType,
    representation: Representation,
    capability: &'static str,
    input: &'static str,
) -> Option<Change> {
    let (PortUnit::Of(from), PortUnit::Of(to)) = (&given.unit, &wanted.unit) else {
        return None;
    };
    if given.representation != representation || from == to || from.check_convertible(to).is_err() {
        return None;
    }
    let mut with = BTreeMap::new();
    with.insert("to".to_owned(), constant(Quantity::new(1.0, to.clone())));
    if representation == Representation::Grid {
        with.insert(
            "from".to_owned(),
            constant(Quantity::new(1.0, from.clone())),
        );
    }
    Some(Change {
        capability,
        input,
        output: "result",
        with,
        kind: PortType {
            unit: wanted.unit.clone(),
            ..given.clone()
        },
        cost: 0.01,
    })
}

fn aggregate(given: &PortType, wanted: &PortType, _: &[Pattern]) -> Option<Change> {
    if given.representation != Representation::Grid {
        return None;
    }
    let (from, to) = resolutions(given, wanted)?;
    let block = (to / from).round();
    if !(2.0..=1000.0).contains(&block) {
        return None;
    }
    Some(Change {
        capability: "grid-aggregate",
        input: "grid",
        output: "result",
        with: BTreeMap::from([
            ("block".to_owned(), constant(Quantity::of(block, "1").ok()?)),
            ("statistic".to_owned(), word("mean")),
        ]),
        kind: PortType {
            resolution: Quantity::of(from * block, "m").ok(),
            ..given.clone()
        },
        cost: 0.5,
    })
}

fn resample(given: &PortType, wanted: &PortType, patterns: &[Pattern]) -> Option<Change> {
    if given.representation != Representation::Grid {
        return None;
    }
    let (from, to) = resolutions(given, wanted)?;
    // Blocks of whole cells lose less than values between cells do.
    if (to / from).round() >= 2.0 || (0.667..1.5).contains(&(to / from)) {
        return None;
    }
    let near = |pattern: &&Pattern| (0.667..1.5).contains(&(to / pattern.metres));
    let pattern = patterns.iter().find(near)?;
    Some(Change {
        capability: "grid-resample",
        input: "grid",
        output: "result",
        with: BTreeMap::from([
            ("like".to_owned(), With::Like(pattern.id.clone())),
            ("interpolation".to_owned(), word("bilinear")),
        ]),
        kind: PortType {
            resolution: Quantity::of(pattern.metres, "m").ok(),
            ..given.clone()
        },
        cost: 0.6,
    })
}
