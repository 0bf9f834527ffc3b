//! Vectors of parts, and the pooled vector of the whole.

/// A running weighted mean of unit vectors.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    sum: Vec<f64>,
}

/// Why a vector cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadVector {
    /// A component is not a number, or infinite.
    NotFinite,
    /// All components are zero: it has no direction.
    Zero,
}

impl BadVector {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::NotFinite => "a vector has components that are not finite numbers",
            Self::Zero => "a vector is zero",
        }
    }
}

impl Pool {
    pub(crate) fn new(dimension: usize) -> Self {
        Self {
            sum: vec![0.0; dimension],
        }
    }

    /// Adds a part's vector, whatever its length, with a weight. The caller has checked the dimension.
    pub(crate) fn add(&mut self, vector: &[f32], weight: f64) -> Result<(), BadVector> {
        if vector.iter().any(|component| !component.is_finite()) {
            return Err(BadVector::NotFinite);
        }
        // In double precision, where the squares of singles neither overflow nor vanish.
        let norm = vector
            .iter()
            .map(|&component| f64::from(component).powi(2))
            .sum::<f64>()
            .sqrt();
        if norm == 0.0 {
            return Err(BadVector::Zero);
        }
        for (sum, &component) in self.sum.iter_mut().zip(vector) {
            *sum += f64::from(component) / norm * weight;
        }
        Ok(())
    }

    /// The mean's direction as a unit vector.
    pub(crate) fn finish(self) -> Result<Vec<f32>, BadVector> {
        let norm = self
            .sum
            .iter()
            .map(|component| component.powi(2))
            .sum::<f64>()
            .sqrt();
        if norm == 0.0 || !norm.is_finite() {
            return Err(BadVector::Zero);
        }
        // Narrowing is the point: the components are within -1 and 1.
        Ok(self
            .sum
            .iter()
            .map(|component| (component / norm) as f32)
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_vectors_are_refused() {
        for (vector, bad) in [
            ([f32::NAN, 1.0], BadVector::NotFinite),
            ([f32::INFINITY, 1.0], BadVector::NotFinite),
            ([0.0, -0.0], BadVector::Zero),
        ] {
            assert_eq!(Pool::new(2).add(&vector, 1.0), Err(bad));
        }
        let mut opposite = Pool::new(2);
        opposite.add(&[1.0, 0.0], 1.0).expect("good");
        opposite.add(&[-2.0, 0.0], 1.0).expect("good");
        assert_eq!(opposite.finish(), Err(BadVector::Zero));
    }

    #[test]
    fn parts_count_by_weight_not_by_length() {
        let mut pool = Pool::new(2);
        pool.add(&[100.0, 0.0], 1.0).expect("good");
        pool.add(&[0.0, 1.0], 1.0).expect("good");
        let half = pool.finish().expect("good");
        assert!(
            (half[0] - half[1]).abs() < 1e-6 && (half[0] - 0.5_f32.sqrt()).abs() < 1e-6,
            "{half:?}"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_usable_vector_becomes_a_unit_vector(vector in proptest::collection::vec(proptest::num::f32::ANY, 1..20)) {
            let mut pool = Pool::new(vector.len());
            if pool.add(&vector, 3.0).is_ok() {
                let unit = pool.finish().expect("one vector has a direction");
                let norm = unit.iter().map(|c| f64::from(*c).powi(2)).sum::<f64>().sqrt();
                proptest::prop_assert!((norm - 1.0).abs() < 1e-5, "{}", norm);
            }
        }
    }
}
