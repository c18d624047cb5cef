"""Train the model of the example: survival of heart failure patients, with text and missing values.

python train.py [PATH]
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd

from ceiba import CeibaClassifier
from ceiba.demo import load_heart_failure


def main(path: str = "model.ceiba") -> None:
    X, y, names = load_heart_failure()
    patients = pd.DataFrame(X, columns=names).drop(columns="time")  # unknown at the prediction
    patients["sex"] = np.where(patients["sex"] == 1, "man", "woman")
    outcome = np.where(y == 1, "died", "survived")
    CeibaClassifier().fit(patients, outcome).save_model(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
