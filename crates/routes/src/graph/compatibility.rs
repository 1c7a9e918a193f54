//! When an artifact of one type may go into a port of another: the registered relation of each
//! field (HazardWeaver, arXiv:2610.03591, equation 3). A move is direct where all eight hold;
//! everything else needs a capability that says what it changes.

use lahar_core::Unit;
use lahar_core::capability::Support;

use crate::port::{Lineage, PortType, PortUnit, Representation, UncertaintyKind};
use crate::vocabulary;

/// A field of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// Variable.
    Variable,
    /// Unit.
    Unit,
    /// Representation.
    Representation,
    /// Support in space.
    Space,
    /// Support in time.
    Time,
    /// Resolution.
    Resolution,
    /// Uncertainty.
    Uncertainty,
    /// Provenance.
    Lineage,
}

impl Field {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Field::Variable => "variable",
            Field::Unit => "unit",
            Field::Representation => "representation",
            Field::Space => "spatial support",
            Field::Time => "temporal support",
            Field::Resolution => "resolution",
            Field::Uncertainty => "uncertainty",
            Field::Lineage => "provenance",
        }
    }
}

/// A set of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fields(u8);

impl Fields {
    /// None.
    pub const NONE: Fields = Fields(0);

    /// These.
    pub fn of(fields: &[Field]) -> Fields {
        Fields(fields.iter().fold(0, |all, field| all | 1 << *field as u8))
    }

    /// Whether a field is in it.
    pub fn has(self, field: Field) -> bool {
        self.0 & (1 << field as u8) != 0
    }

    /// Whether none is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many are in it.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The first of them, in the order of the table.
    pub fn first(self) -> Option<Field> {
        let relation = TABLE.iter().find(|relation| self.has(relation.field));
        relation.map(|relation| relation.field)
    }
}

/// The relation of one field.
pub struct Relation {
    /// Field.
    pub field: Field,
    /// In words.
    pub rule: &'static str,
    /// Whether it holds from a given type to a wanted one.
    pub holds: fn(&PortType, &PortType) -> bool,
}

/// Grids are of one resolution where neither's cells are more than this many times the other's.
const SAME_RESOLUTION: f64 = 1.5;

/// The relations, one a field.
pub static TABLE: [Relation; 8] = [
    Relation {
        field: Field::Variable,
        rule: "the same, or registered as a kind of it",
        holds: |given, wanted| vocabulary::is_kind_of(&given.variable, &wanted.variable),
    },
    Relation {
        field: Field::Representation,
        rule: "the same",
        holds: |given, wanted| given.representation == wanted.representation,
    },
    Relation {
        field: Field::Unit,
        rule: "the same size of the same thing; any where any is taken; for numbers along time \
               any unit of the same thing, which the registry converts value by value",
        holds: units,
    },
    Relation {
        field: Field::Space,
        rule: "the same; a whole event or a whole storm stands for each of its parts; a cell, the \
               column of ground under it and a point in it are one place; a port that names no \
               support takes any",
        holds: |given, wanted| {
            given.space == wanted.space
                || names_no_support(wanted)
                || matches!(given.space, Support::Event | Support::Storm)
                || matches!(
                    (given.space, wanted.space),
                    (
                        Support::Cell | Support::Column,
                        Support::Cell | Support::Column | Support::Point
                    )
                )
        },
    },
    Relation {
        field: Field::Time,
        rule: "the same; what does not change stands for every time; a storm is an event; a port \
               that names no support takes any",
        holds: |given, wanted| {
            given.time == wanted.time
                || names_no_support(wanted)
                || given.time == Support::Static
                || matches!(
                    (given.time, wanted.time),
                    (Support::Storm, Support::Event) | (Support::Event, Support::Storm)
                )
        },
    },
    Relation {
        field: Field::Resolution,
        rule: "for grids, cells of one size to a factor of 1.5, where both are known",
        holds: |given, wanted| match resolutions(given, wanted) {
            Some((given, wanted)) => {
                given <= wanted * SAME_RESOLUTION && wanted <= given * SAME_RESOLUTION
            }
            None => true,
        },
    },
    Relation {
        field: Field::Uncertainty,
        rule: "at least as much as is asked for",
        holds: |given, wanted| {
            wanted.uncertainty == UncertaintyKind::Unstated
                || given.uncertainty >= wanted.uncertainty
        },
    },
    Relation {
        field: Field::Lineage,
        rule: "the one that is asked for; any where any is taken",
        holds: |given, wanted| wanted.lineage == Lineage::Any || given.lineage == wanted.lineage,
    },
];

/// A point that does not change is what a port is where its registration says nothing else.
fn names_no_support(wanted: &PortType) -> bool {
    wanted.space == Support::Point && wanted.time == Support::Static
}

fn same_thing(given: &Unit, wanted: &Unit) -> bool {
    given.check_convertible(wanted).is_ok()
}

fn units(given: &PortType, wanted: &PortType) -> bool {
    match (&given.unit, &wanted.unit) {
        (_, PortUnit::Any) | (PortUnit::None, PortUnit::None) => true,
        (PortUnit::Of(a), PortUnit::Of(b)) if given.representation == Representation::Series => {
            same_thing(a, b)
        }
        (PortUnit::Of(a), PortUnit::Of(b)) => a == b,
        _ => false,
    }
}

/// Both resolutions in metres, for grids whose resolution is known.
pub(super) fn resolutions(given: &PortType, wanted: &PortType) -> Option<(f64, f64)> {
    if wanted.representation != Representation::Grid {
        return None;
    }
    let metres = |kind: &PortType| {
        let resolution = kind.resolution.as_ref()?;
        let length = lahar_core::Dimension::LENGTH;
        (resolution.dimension() == length && resolution.si() > 0.0).then(|| resolution.si())
    };
    Some((metres(given)?, metres(wanted)?))
}

/// The fields that keep a given type out of a wanted one.
pub fn mismatches(given: &PortType, wanted: &PortType) -> Fields {
    let mut fields = Fields::NONE;
    for relation in &TABLE {
        if !(relation.holds)(given, wanted) {
            fields.0 |= 1 << relation.field as u8;
        }
    }
    fields
}

/// Whether a given type may go into a wanted one as it is.
pub fn compatible(given: &PortType, wanted: &PortType) -> bool {
    TABLE.iter().all(|relation| (relation.holds)(given, wanted))
}

/// One field of both types, in words.
pub fn shown(field: Field, kind: &PortType) -> String {
    match field {
        Field::Variable => kind.variable.clone(),
        Field::Unit => match &kind.unit {
            PortUnit::None => "no unit".to_owned(),
            PortUnit::Any => "any unit".to_owned(),
            PortUnit::Of(unit) => unit.symbol().to_owned(),
        },
        Field::Representation => word(&kind.representation),
        Field::Space => word(&kind.space),
        Field::Time => word(&kind.time),
        Field::Resolution => match &kind.resolution {
            Some(resolution) => resolution.to_string(),
            None => "unknown".to_owned(),
        },
        Field::Uncertainty => word(&kind.uncertainty),
        Field::Lineage => word(&kind.lineage),
    }
}

fn word(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(unit: &str) -> PortType {
        PortType {
            variable: "slope".to_owned(),
            unit: PortUnit::Of(unit.parse().unwrap()),
            representation: Representation::Grid,
            space: Support::Cell,
            time: Support::Static,
            resolution: Some("10 m".parse().unwrap()),
            uncertainty: UncertaintyKind::Unstated,
            lineage: Lineage::Observed,
        }
    }

    #[test]
    fn each_field_of_the_table_can_fail_alone() {
        let wanted = kind("deg");
        assert!(mismatches(&wanted, &wanted).is_empty());
        type Spoil = fn(&mut PortType);
        let changes: [(Field, Spoil); 7] = [
            (Field::Variable, |k| k.variable = "aspect".to_owned()),
            (Field::Unit, |k| {
                k.unit = PortUnit::Of("rad".parse().unwrap())
            }),
            (Field::Representation, |k| {
                k.representation = Representation::Number
            }),
            (Field::Space, |k| k.space = Support::Basin),
            (Field::Time, |k| k.time = Support::Instant),
            (Field::Resolution, |k| {
                k.resolution = Some("30 m".parse().unwrap())
            }),
            (Field::Lineage, |k| k.lineage = Lineage::Derived),
        ];
        for (field, change) in changes {
            let mut given = kind("deg");
            change(&mut given);
            let wanted = PortType {
                lineage: Lineage::Observed,
                ..wanted.clone()
            };
            assert_eq!(
                mismatches(&given, &wanted),
                Fields::of(&[field]),
                "{field:?}"
            );
        }
        let sure = PortType {
            uncertainty: UncertaintyKind::Interval,
            ..wanted.clone()
        };
        assert_eq!(
            mismatches(&wanted, &sure),
            Fields::of(&[Field::Uncertainty])
        );
        assert!(compatible(&sure, &wanted));
    }
}
