//! Directions: every vector that leaves an embedder has length one.

/// The direction of a sum of token vectors. A sum that has none (no known word in the text) gives a fixed direction
/// that is no model's favourite, so that such texts compare with everything as unrelated instead of as not-a-number.
pub(crate) fn direction(sum: &[f32]) -> Vec<f32> {
    let length = sum
        .iter()
        .map(|&component| f64::from(component).powi(2))
        .sum::<f64>()
        .sqrt();
    if length > 0.0 && length.is_finite() {
        return sum
            .iter()
            .map(|&component| (f64::from(component) / length) as f32)
            .collect();
    }
    let even = (1.0 / (sum.len().max(1) as f64).sqrt()) as f32;
    vec![even; sum.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_is_a_unit_vector_whatever_the_sum() {
        for sum in [
            vec![3.0, 4.0],
            vec![0.0; 7],
            vec![f32::NAN, 1.0],
            vec![f32::INFINITY; 3],
            vec![f32::MIN_POSITIVE; 2],
            vec![f32::MAX; 5],
        ] {
            let unit = direction(&sum);
            let length: f32 = unit.iter().map(|component| component * component).sum();
            assert!((length - 1.0).abs() < 1e-5, "{sum:?} -> {unit:?}");
        }
        assert_eq!(direction(&[3.0, 4.0]), [0.6, 0.8]);
        assert!(direction(&[]).is_empty());
    }
}
