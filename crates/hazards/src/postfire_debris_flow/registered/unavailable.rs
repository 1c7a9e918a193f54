//! What is known of and cannot be run.

use super::*;

const fn unavailable(
    name: &'static str,
    function: &'static str,
    kind: CapabilityKind,
    reason: &'static str,
    citation: Citation,
) -> Registration {
    Registration {
        capability: Capability {
            kind,
            availability: Availability::Unavailable(reason),
            ..formula(name, function, &[], &[], &[], &[], citation)
        },
        evaluate: |_| Ok(Vec::new()),
    }
}

pub(super) const WESTERN_VOLUME: Registration = unavailable(
    "gorr-2026-west-volume",
    "Volume of post-fire debris flows in the western United States, rain normalised by a local \
     recurrence interval.",
    CapabilityKind::Formula,
    "coefficients not supplied",
    Citation {
        authors: "Gorr and others",
        year: 2026,
        doi: "doi:10.5194/nhess-26-2111-2026",
        place: "WEST model",
    },
);
pub(super) const IMAGERY_MODEL: Registration = unavailable(
    "imagery-model-burn-severity",
    "Burn severity mapped by a foundation model of satellite imagery.",
    CapabilityKind::LearnedModel,
    "weights not supplied",
    KEY_BENSON_2006,
);
pub(super) const ORLAND: Registration = unavailable(
    "orland-2022-postfire-trees",
    "Post-fire debris-flow susceptibility by gradient-boosted trees.",
    CapabilityKind::LearnedModel,
    "weights not supplied",
    Citation {
        authors: "Orland, Kirschbaum & Stanley",
        year: 2022,
        doi: "doi:10.1029/2022GL099850",
        place: "model",
    },
);
pub(super) const CANNON_2008: Registration = unavailable(
    "cannon-2008-intensity-duration",
    "Rainfall intensity above which recently burned basins give debris flows, by duration.",
    CapabilityKind::Formula,
    "coefficients not verified",
    Citation {
        authors: "Cannon, Gartner, Wilson, Bowers & Laber",
        year: 2008,
        doi: "doi:10.1016/j.geomorph.2007.03.019",
        place: "intensity-duration thresholds",
    },
);
