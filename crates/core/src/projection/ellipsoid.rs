//! Ellipsoids of revolution and their authalic latitudes.

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ellipsoid {
    pub(super) semi_major: f64,
    pub(super) flattening: f64,
}

pub(super) const WGS84: Ellipsoid = Ellipsoid {
    semi_major: 6_378_137.0,
    flattening: 1.0 / 298.257_223_563,
};
pub(super) const GRS80: Ellipsoid = Ellipsoid {
    semi_major: 6_378_137.0,
    flattening: 1.0 / 298.257_222_101,
};

impl Ellipsoid {
    pub(super) fn e2(self) -> f64 {
        self.flattening * (2.0 - self.flattening)
    }

    /// Snyder's q, from which authalic latitudes come (1987, equation 3-12).
    pub(super) fn q(self, sine: f64) -> f64 {
        let e2 = self.e2();
        let e = e2.sqrt();
        (1.0 - e2) * (sine / (1.0 - e2 * sine * sine) + (e * sine).atanh() / e)
    }

    /// The latitude of a q (Snyder 1987, equation 3-16, iterated).
    pub(super) fn latitude_of_q(self, q: f64) -> f64 {
        let e2 = self.e2();
        let mut latitude = (q / 2.0).clamp(-1.0, 1.0).asin();
        for _ in 0..12 {
            let sine = latitude.sin();
            let scale = (1.0 - e2 * sine * sine).powi(2) / (2.0 * latitude.cos() * (1.0 - e2));
            let step = scale * (q - self.q(sine));
            if !step.is_finite() {
                break;
            }
            latitude += step;
        }
        latitude
    }

    /// Radius of the parallel over the semi-major axis.
    pub(super) fn m(self, latitude: f64) -> f64 {
        latitude.cos() / (1.0 - self.e2() * latitude.sin().powi(2)).sqrt()
    }
}
