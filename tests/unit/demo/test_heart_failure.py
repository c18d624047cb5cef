import numpy as np

from ceiba.demo import load_heart_failure


def test_heart_failure_is_the_public_set():
    records = load_heart_failure()
    assert records.features.shape == (299, 12)
    assert records.feature_names[0] == "age"
    assert "DEATH_EVENT" not in records.feature_names
    assert records.target.sum() == 96
    assert set(np.unique(records.target)) == {0, 1}
    assert np.isfinite(records.features).all()
    # Means as the paper's table of all patients gives them.
    means = dict(zip(records.feature_names, records.features.mean(axis=0), strict=True))
    assert round(means["age"], 2) == 60.83
    assert round(means["ejection_fraction"], 2) == 38.08
    assert round(means["serum_creatinine"], 3) == 1.394
