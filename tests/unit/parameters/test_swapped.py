"""Functions that were written for XGBoost's and LightGBM's train."""

from __future__ import annotations

import numpy as np

from ceiba.parameters.swapped import SwappedMetric, SwappedObjective

TRUE, SCORES, WEIGHTS = np.array([0.0, 1.0]), np.array([0.5, 0.25]), np.array([1.0, 3.0])


def test_a_metric_is_handed_labels_and_weights() -> None:
    def error(predictions: np.ndarray, dataset: object) -> tuple[str, float]:
        assert dataset.num_row() == dataset.num_data() == 2  # type: ignore[attr-defined]
        weights = dataset.get_weight()  # type: ignore[attr-defined]
        labels = dataset.get_label()  # type: ignore[attr-defined]
        return "error", float(np.average(np.abs(labels - predictions), weights=weights))

    swapped = SwappedMetric(error)
    assert swapped.__name__ == "error"
    assert swapped(TRUE, SCORES) == ("error", 0.625, False)
    assert SwappedMetric(error, higher_is_better=True)(TRUE, SCORES, WEIGHTS)[1:] == (0.6875, True)
    three = SwappedMetric(lambda predictions, dataset: ("a", 1.0, True))
    assert three(TRUE, SCORES) == ("a", 1.0, True)


def test_a_loss_gets_no_weights_since_the_engine_multiplies_by_them() -> None:
    def squared(scores: np.ndarray, dataset: object) -> tuple[np.ndarray, np.ndarray]:
        assert dataset.get_weight() is None  # type: ignore[attr-defined]
        return scores - dataset.get_label(), np.ones(2)  # type: ignore[attr-defined]

    gradients, hessians = SwappedObjective(squared)(TRUE, SCORES)
    np.testing.assert_array_equal(gradients, SCORES - TRUE)
    np.testing.assert_array_equal(hessians, np.ones(2))
