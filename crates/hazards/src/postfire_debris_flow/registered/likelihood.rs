//! Whether a storm sets off a debris flow.

use super::*;

const LIKELIHOOD_CONDITIONS: &[Condition] = &[WEST, RECENT, BASIN_SIZE, DESIGN_STORM, NO_SUPPLY];

macro_rules! staley {
    ($model:ident, $likelihood:literal, $threshold:literal, $terrain:expr, $fire:expr, $soil:expr, $validation:literal) => {
        [
            Registration {
                capability: formula(
                    $likelihood,
                    concat!(
                        "Likelihood of a post-fire debris flow in a storm, model ",
                        stringify!($model),
                        "."
                    ),
                    &[RAINFALL, DURATION, $terrain, $fire, $soil],
                    &[LIKELIHOOD],
                    LIKELIHOOD_CONDITIONS,
                    &[$validation, "oracles"],
                    staley_2017::SOURCE,
                ),
                evaluate: |a| {
                    let (duration, basin) = staley_inputs(a, Model::$model)?;
                    let rain = Length::millimetres(a.number("rainfall"));
                    let p = staley_2017::likelihood(Model::$model, duration, &basin, rain)?;
                    Ok(vec![Output::Number(p.to_fraction())])
                },
            },
            Registration {
                capability: formula(
                    $threshold,
                    concat!(
                        "Least rain at which a debris flow reaches a likelihood, model ",
                        stringify!($model),
                        "."
                    ),
                    &[PROBABILITY_IN, DURATION, $terrain, $fire, $soil],
                    &[THRESHOLD, THRESHOLD_INTENSITY],
                    LIKELIHOOD_CONDITIONS,
                    &[$validation, "oracles"],
                    staley_2017::SOURCE,
                ),
                evaluate: |a| {
                    let (duration, basin) = staley_inputs(a, Model::$model)?;
                    let p = Ratio::fraction(a.number("probability"));
                    let rain = staley_2017::threshold(Model::$model, duration, &basin, p)?;
                    Ok(vec![
                        Output::Number(rain.to_millimetres()),
                        Output::Number(duration.intensity(rain).to_millimetres_per_hour()),
                    ])
                },
            },
        ]
    };
}

fn staley_inputs(
    a: &Arguments<'_>,
    model: Model,
) -> Result<(RainDuration, BurnedBasin), HazardError> {
    let duration = RainDuration::of(Span::minutes(a.number("duration")))?;
    let terrain = a.number(match model {
        Model::M1 | Model::M4 => "steep_burned_share",
        Model::M2 => "mean_sine_slope",
        Model::M3 => "ruggedness",
    });
    let fire = match model {
        Model::M3 => a.number("burned_share"),
        _ => a.number("mean_dnbr") / 1000.0,
    };
    let soil = a.number(match model {
        Model::M1 | Model::M2 => "soil_erodibility",
        Model::M3 | Model::M4 => "soil_thickness_term",
    });
    Ok((
        duration,
        BurnedBasin {
            terrain,
            fire,
            soil,
        },
    ))
}

pub(super) const STALEY: [[Registration; 2]; 4] = [
    staley!(
        M1,
        "staley-2017-m1-likelihood",
        "staley-2017-m1-threshold",
        SHARE_23,
        DNBR,
        KF,
        "reproduces_staley_2017_m1"
    ),
    staley!(
        M2,
        "staley-2017-m2-likelihood",
        "staley-2017-m2-threshold",
        MEAN_SINE,
        DNBR,
        KF,
        "reproduces_staley_2017_m2"
    ),
    staley!(
        M3,
        "staley-2017-m3-likelihood",
        "staley-2017-m3-threshold",
        RUGGEDNESS,
        BURNED_SHARE,
        SOIL_DEPTH,
        "reproduces_staley_2017_m3"
    ),
    staley!(
        M4,
        "staley-2017-m4-likelihood",
        "staley-2017-m4-threshold",
        SHARE_30,
        DNBR,
        SOIL_DEPTH,
        "reproduces_staley_2017_m4"
    ),
];

pub(super) const INTERMOUNTAIN_LIKELIHOOD: Registration = Registration {
    capability: formula(
        "cannon-2010-intermountain-likelihood",
        "Likelihood of a post-fire debris flow in the intermountain western United States.",
        &[
            I60,
            basin(Port::number(
                "steep_share",
                "share of the basin steeper than 30 percent",
                "%",
                0.0,
                100.0,
            )),
            RUGGEDNESS,
            basin(Port::number(
                "burned_share",
                "share burned at moderate or high severity",
                "%",
                0.0,
                100.0,
            )),
            basin(Port::number(
                "clay_content",
                "mean clay content of the soil",
                "%",
                0.0,
                100.0,
            )),
            basin(Port::number(
                "liquid_limit",
                "mean liquid limit of the soil",
                "%",
                0.0,
                200.0,
            )),
        ],
        &[LIKELIHOOD],
        &[INTERMOUNTAIN, RECENT, SUPERSEDED],
        &["reproduces_cannon_2010_intermountain"],
        survey_2010::CANNON_2010,
    ),
    evaluate: |a| {
        let basin = IntermountainBasin {
            steep_share: Ratio::percent(a.number("steep_share")),
            ruggedness: Ratio::fraction(a.number("ruggedness")),
            burned_share: Ratio::percent(a.number("burned_share")),
            clay_content: Ratio::percent(a.number("clay_content")),
            liquid_limit: Ratio::percent(a.number("liquid_limit")),
        };
        let rain = Speed::millimetres_per_hour(a.number("rainfall_intensity"));
        let p = survey_2010::intermountain_likelihood(&basin, rain)?;
        Ok(vec![Output::Number(p.to_fraction())])
    },
};
