use proptest::prelude::*;

use super::*;

fn ground(velocity: f64) -> WetGround {
    WetGround {
        peak_velocity: Speed::centimetres_per_second(velocity),
        vs30: Speed::metres_per_second(220.0),
        annual_precipitation: Length::millimetres(3000.0),
        distance_to_water: Length::kilometres(2.0),
        water_table_depth: Length::metres(3.0),
    }
}

#[test]
fn weak_shaking_and_rock_do_not_liquefy() {
    assert_eq!(general_2017(&ground(2.9)).unwrap().probability.si(), 0.0);
    let rock = WetGround {
        vs30: Speed::metres_per_second(621.0),
        ..ground(50.0)
    };
    assert_eq!(general_2017(&rock).unwrap().probability.si(), 0.0);
    let weak = Acceleration::g(0.09);
    let survey = operational_2022(&ground(50.0), weak, 7.0).unwrap();
    assert_eq!(survey.probability.si(), 0.0);
}

#[test]
fn the_limit_on_precipitation_lowers_the_probability() {
    let strong = Acceleration::g(0.4);
    let free = general_2017(&ground(50.0)).unwrap();
    let limited = rashidian_baise_2020(&ground(50.0), strong).unwrap();
    assert!(limited.probability < free.probability);
}

proptest! {
    #[test]
    fn cells_give_what_places_give_with_the_same_bits_for_every_thread(
        velocities in prop::collection::vec(-0.1..1.5f64, 1..40), vs30 in 100.0..800.0f64,
    ) {
        let n = velocities.len();
        let cells = WetCells {
            peak_velocity: &velocities,
            vs30: &vec![vs30; n],
            annual_precipitation: &vec![3.0; n],
            distance_to_water: &vec![2000.0; n],
            water_table_depth: &vec![3.0; n],
        };
        let run = |threads| {
            let (mut p, mut c) = (vec![0.0; n], vec![0.0; n]);
            general_2017_cells(&cells, threads, &mut p, &mut c).unwrap();
            p.into_iter().chain(c).map(f64::to_bits).collect::<Vec<u64>>()
        };
        let one = run(1);
        prop_assert_eq!(&one, &run(2));
        prop_assert_eq!(&one, &run(5));
        for (velocity, cell) in velocities.iter().zip(one) {
            let place = WetGround {
                peak_velocity: Speed::metres_per_second(*velocity),
                vs30: Speed::metres_per_second(vs30),
                ..ground(1.0)
            };
            let cell = f64::from_bits(cell);
            match general_2017(&place) {
                Ok(place) => prop_assert!((cell - place.probability.si()).abs() < 1e-12),
                Err(_) => prop_assert!(cell.is_nan()),
            }
        }
    }

    #[test]
    fn stronger_shaking_liquefies_more(velocity in 3.0..140.0f64, factor in 1.0..3.0f64) {
        let (here, more) = (
            general_2017(&ground(velocity)).unwrap(),
            general_2017(&ground(velocity * factor)).unwrap(),
        );
        prop_assert!(more.probability >= here.probability);
        prop_assert!(more.coverage >= here.coverage);
        prop_assert!((0.0..=1.0).contains(&more.probability.si()));
    }
}
