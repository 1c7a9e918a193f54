//! Where all the water of a simulation went.

/// Volumes in m³ since the start of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Balance {
    /// On the ground at the start.
    pub start: f64,
    /// On the ground now.
    pub now: f64,
    /// Came as rain.
    pub rain: f64,
    /// Came in streams.
    pub inflow: f64,
    /// Came over the edges; negative where more left than came.
    pub edges: f64,
    /// Sank into the ground.
    pub infiltration: f64,
}

impl Balance {
    /// Water that appeared from nowhere, or vanished where it is negative.
    pub fn error(&self) -> f64 {
        self.now - (self.start + self.rain + self.inflow + self.edges - self.infiltration)
    }

    /// The error as a share of all the water that was ever there.
    pub fn relative_error(&self) -> f64 {
        let all = self.start + self.rain + self.inflow + self.edges.abs();
        match all > 0.0 {
            true => self.error() / all,
            false => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn water_that_is_accounted_for_is_no_error() {
        let balance = Balance {
            start: 10.0,
            now: 12.0,
            rain: 5.0,
            inflow: 1.0,
            edges: -3.0,
            infiltration: 1.0,
        };
        assert_eq!(balance.error(), 0.0);
        let leak = Balance {
            now: 11.0,
            ..balance
        };
        assert_eq!(leak.error(), -1.0);
        assert_eq!(Balance::default().relative_error(), 0.0);
    }
}
