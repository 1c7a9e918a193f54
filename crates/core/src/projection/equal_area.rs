//! Equal-area projections: the cone of Albers and the azimuthal one of Lambert.

use super::ellipsoid::Ellipsoid;

pub(super) struct Cone {
    pub(super) n: f64,
    pub(super) c: f64,
    pub(super) rho0: f64,
    pub(super) semi_major: f64,
}

impl Cone {
    /// Constants of an Albers projection (Snyder 1987, equations 14-3, 14-13, 14-14).
    pub(super) fn new(ellipsoid: Ellipsoid, origin: f64, parallels: [f64; 2]) -> Cone {
        let [one, two] = parallels.map(f64::to_radians);
        let (m1, m2) = (ellipsoid.m(one), ellipsoid.m(two));
        let (q1, q2) = (ellipsoid.q(one.sin()), ellipsoid.q(two.sin()));
        let n = (m1 * m1 - m2 * m2) / (q2 - q1);
        let mut cone = Cone {
            n,
            c: m1 * m1 + n * q1,
            rho0: 0.0,
            semi_major: ellipsoid.semi_major,
        };
        cone.rho0 = cone.rho(ellipsoid.q(origin.to_radians().sin()));
        cone
    }

    pub(super) fn rho(&self, q: f64) -> f64 {
        self.semi_major * (self.c - self.n * q).sqrt() / self.n
    }
}

pub(super) struct Azimuthal {
    pub(super) qp: f64,
    pub(super) radius: f64,
    pub(super) sine0: f64,
    pub(super) cosine0: f64,
    pub(super) d: f64,
}

impl Azimuthal {
    /// Constants of a Lambert azimuthal equal-area projection (EPSG method 9820).
    pub(super) fn new(ellipsoid: Ellipsoid, origin: f64) -> Azimuthal {
        let origin = origin.to_radians();
        let qp = ellipsoid.q(1.0);
        let radius = ellipsoid.semi_major * (qp / 2.0).sqrt();
        let sine0 = ellipsoid.q(origin.sin()) / qp;
        let cosine0 = (1.0 - sine0 * sine0).sqrt();
        let d = ellipsoid.semi_major * ellipsoid.m(origin) / (radius * cosine0);
        Azimuthal {
            qp,
            radius,
            sine0,
            cosine0,
            d,
        }
    }

    pub(super) fn beta(&self, q: f64) -> f64 {
        (q / self.qp).clamp(-1.0, 1.0).asin()
    }
}
