"""Who decides when to stop: callbacks, a schedule, cross-validation, going on from a model."""

from pathlib import Path

import ceiba
from ceiba.demo import load_heart_failure


class StopWhenFlat(ceiba.Callback):
    """Stops when the metric has moved by less than ``least`` over the last ten rounds."""

    def __init__(self, least: float) -> None:
        self.least = least
        self.values: list[float] = []

    def before_training(self, n_rounds: int) -> None:
        self.values = []

    def after_round(self, round: ceiba.Round) -> bool:
        self.values.append(round.evals["test"]["logloss"])
        recent = self.values[-10:]
        return len(recent) == 10 and max(recent) - min(recent) < self.least


def main() -> None:
    records = load_heart_failure()
    dataset = ceiba.Dataset(records.features, records.target, feature_names=records.feature_names)
    params = {
        "objective": "logistic",
        "n_estimators": 300,
        "max_leaves": 8,
        "learning_rate": lambda number: max(0.02, 0.1 * 0.99**number),
    }

    # How many rounds? Five folds, side by side, stopped at the best mean.
    table = ceiba.cv(params, dataset, metrics=["auc", "logloss"], early_stopping_rounds=30)
    best = len(table["test-logloss-mean"])
    auc = list(table["test-auc-mean"])[-1]
    print(f"{best} rounds are best on average: AUC {auc:.3f}")

    # The same with a callback of our own.
    flat = StopWhenFlat(least=0.005)
    table = ceiba.cv(params, dataset, callbacks=[flat])
    print(f"flat after {len(table['test-logloss-mean'])} rounds")

    # Train, with a line now and then and checkpoints; go on from the last one.
    params["n_estimators"] = best
    path = Path("heart_failure_training.ceiba")
    saving = ceiba.Checkpoint(path, every=20)
    model = ceiba.train(params, dataset, callbacks=[ceiba.LogRounds(every=50), saving])
    resumed = ceiba.train(params, dataset, resume_from=path)
    path.unlink()
    assert resumed.fingerprint() == model.fingerprint()

    # Half of the rounds, and the other half on top: the same model.
    half = model.truncate(best // 2)
    params["n_estimators"] = best - best // 2
    assert ceiba.train(params, dataset, init_model=half).fingerprint() == model.fingerprint()
    print("resumed and continued: the same model")


if __name__ == "__main__":
    main()
