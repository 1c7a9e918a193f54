//! How severely it burned.

use super::*;

fn bands(a: &Arguments<'_>) -> [BandPair; 2] {
    let pair = |near, short| BandPair {
        near_infrared: a.number(near),
        shortwave_infrared: a.number(short),
    };
    [
        pair("near_infrared_before", "shortwave_infrared_before"),
        pair("near_infrared_after", "shortwave_infrared_after"),
    ]
}

const BANDS: &[Port] = &[NIR_BEFORE, SWIR_BEFORE, NIR_AFTER, SWIR_AFTER];
const SEVERITY: Port = Port::label("severity", "burn severity", &Severity::WORDS)
    .over(Support::Cell, Support::Instant);
const UNCHANGED: Condition = Condition {
    variable: "phenology",
    requirement: Requirement::Stated,
    reading: "both images show the same season, and what changed outside the fire is taken off",
    strictness: Strictness::Advisory,
    citation: KEY_BENSON_2006,
};
const CELL: Cost = Cost {
    nanoseconds: 50.0,
    per: "cell",
};

pub(super) const DIFFERENCED: Registration = Registration {
    capability: Capability {
        cost: CELL,
        ..formula(
            "burn-severity-dnbr",
            "Differenced normalised burn ratio and burn severity from two pairs of bands.",
            BANDS,
            &[
                Port::number(
                    "dnbr",
                    "differenced normalised burn ratio, times 1000",
                    "1",
                    -2000.0,
                    2000.0,
                )
                .over(Support::Cell, Support::Interval),
                SEVERITY,
            ],
            &[UNCHANGED],
            &["reproduces_key_benson_2006_classes"],
            KEY_BENSON_2006,
        )
    },
    evaluate: |a| {
        let [before, after] = bands(a);
        let ratio = burn_severity::differenced_ratio(before, after)?;
        Ok(vec![
            Output::Number(ratio),
            Output::Word(burn_severity::severity(ratio).word()),
        ])
    },
};

pub(super) const RELATIVE: Registration = Registration {
    capability: Capability {
        cost: CELL,
        ..formula(
            "burn-severity-rdnbr",
            "Relative differenced normalised burn ratio and burn severity from two pairs of bands.",
            BANDS,
            &[
                Port::number(
                    "rdnbr",
                    "relative differenced normalised burn ratio",
                    "1",
                    -INF,
                    INF,
                )
                .over(Support::Cell, Support::Interval),
                SEVERITY,
            ],
            &[UNCHANGED],
            &["reproduces_miller_thode_2007_classes"],
            MILLER_THODE_2007,
        )
    },
    evaluate: |a| {
        let [before, after] = bands(a);
        let ratio = burn_severity::relative_ratio(before, after)?;
        let severity = burn_severity::relative_severity(ratio);
        Ok(vec![Output::Number(ratio), Output::Word(severity.word())])
    },
};
