"""Show ceiba in a few seconds: ``python -m ceiba.demo`` or ``make demo``.

Loads the bundled heart failure records, cross-validates five classifiers, shows importances, saves
and loads the model, predicts one patient, and plots the explanation.
"""

import sys
import tempfile
import textwrap
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from ceiba.demo import Records, load_heart_failure
from ceiba.errors import MissingDependencyError
from ceiba.estimators import CeibaClassifier
from ceiba.model.load import load_model

N_FOLDS = 5
N_REPEATS = 3
BAR_WIDTH = 40
PATIENT = 1
"""Row predicted in the last sections; it is left out of the training of that model."""
PICTURES = Path("ceiba-demo")
"""Folder of the plots."""


class Score(NamedTuple):
    """One classifier's cross-validation: mean scores and the median time of a fit."""

    name: str
    weighted_f1: float
    auc: float
    seconds: float


def classifiers() -> dict[str, Any]:
    """Return the compared classifiers with the default parameters of their libraries."""
    return {
        "decision tree": DecisionTreeClassifier(random_state=0),
        "random forest": RandomForestClassifier(random_state=0),
        "scikit-learn GBM": GradientBoostingClassifier(random_state=0),
        "scikit-learn HistGBM": HistGradientBoostingClassifier(random_state=0),
        "ceiba": CeibaClassifier(random_state=0),
    }


def cross_validate(name: str, classifier: Any, records: Records) -> Score:
    """Fit and score every fold of every repeat."""
    folds = RepeatedStratifiedKFold(n_splits=N_FOLDS, n_repeats=N_REPEATS, random_state=0)
    results = []
    for train, test in folds.split(records.features, records.target):
        model = clone(classifier)
        start = time.perf_counter()
        model.fit(records.features[train], records.target[train])
        seconds = time.perf_counter() - start
        probability = model.predict_proba(records.features[test])[:, 1]
        truth = records.target[test]
        weighted_f1 = f1_score(truth, model.predict(records.features[test]), average="weighted")
        results.append((weighted_f1, roc_auc_score(truth, probability), seconds))
    columns = np.array(results).T
    return Score(
        name, float(columns[0].mean()), float(columns[1].mean()), float(np.median(columns[2]))
    )


def comparison(scores: Iterable[Score]) -> str:
    """Format the comparison as a table, best AUC first."""
    lines = [f"{'':<22}{'weighted F1':>12}{'AUC':>9}{'ms per fit':>12}"]
    lines += [
        f"{score.name:<22}{score.weighted_f1:>12.3f}{score.auc:>9.3f}{score.seconds * 1e3:>12.1f}"
        for score in sorted(scores, key=lambda score: -score.auc)
    ]
    return "\n".join(lines)


def bars(names: list[str], shares: NDArray[np.float64]) -> str:
    """Format shares as horizontal bars, largest first."""
    block = "█" if "utf" in (sys.stdout.encoding or "").lower() else "#"
    longest = max(float(shares.max()), 1e-12)
    return "\n".join(
        f"{names[j]:<26}{shares[j]:>6.1%}  {block * round(BAR_WIDTH * float(shares[j]) / longest)}"
        for j in np.argsort(-shares, kind="stable")
    )


def section(title: str) -> None:
    """Print the heading of a section."""
    print(f"\n{title}\n{'-' * len(title)}")


def show_patient(records: Records) -> CeibaClassifier:
    """Train without one patient, save, load, and predict that patient; return the classifier."""
    others = np.arange(len(records.target)) != PATIENT
    classifier = CeibaClassifier(random_state=0)
    classifier.fit(records.features[others], records.target[others])

    section("Most important columns (share of the gain)")
    print(bars(records.feature_names, classifier.feature_importances_))

    section("Save, load, predict one patient")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "heart_failure.ceiba"
        classifier.save_model(path)
        size = path.stat().st_size
        model = load_model(path)
    fingerprint = model.fingerprint()
    same = fingerprint == classifier.model_.fingerprint()
    print(f"saved {size:,} bytes, loaded again; fingerprint {fingerprint[:16]}…")
    print(f"the loaded model is {'identical, bit for bit' if same else 'NOT identical'}")

    patient = records.features[PATIENT : PATIENT + 1]
    facts = zip(records.feature_names, patient[0], strict=True)
    print("\n" + textwrap.fill(", ".join(f"{name} {value:g}" for name, value in facts), width=76))
    risk = float(model.predict(patient)[0])
    outcome = "died" if records.target[PATIENT] else "survived"
    print(f"risk of death {risk:.1%} (this patient, unseen in training, {outcome})")
    return classifier


def draw(classifier: CeibaClassifier, records: Records) -> None:
    """Write plots of the model and of its explanation for the patient."""
    section("Pictures")
    schema = classifier.model_.schema.renamed(records.feature_names)
    plots = replace(classifier.model_, schema=schema).plot
    try:
        pictures = {
            "importances.png": plots.importances(X=records.features, y=records.target)[0],
            "why_this_patient.png": plots.waterfall(records.features[PATIENT : PATIENT + 1]),
        }
    except MissingDependencyError as error:
        print(error)
        return
    PICTURES.mkdir(exist_ok=True)
    for name, ax in pictures.items():
        ax.figure.savefig(PICTURES / name, dpi=150)
    print(f"Plots: {', '.join(pictures)} in {PICTURES.resolve()}")


def main() -> None:
    """Run all sections."""
    records = load_heart_failure()
    n_rows, n_features = records.features.shape
    section("Heart failure records (UCI, CC BY 4.0)")
    print(f"{n_rows} patients, {n_features} measurements, {records.target.sum()} died.")
    print("Note: `time` is the length of the follow-up, which ends with death.")

    section(f"Five classifiers, {N_REPEATS} x {N_FOLDS}-fold cross-validation, default settings")
    scores = [cross_validate(name, model, records) for name, model in classifiers().items()]
    print(comparison(scores))

    draw(show_patient(records), records)
