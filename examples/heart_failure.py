"""One minute of ceiba: train with early stopping, look inside, save, load, predict."""

from pathlib import Path

from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

import ceiba
from ceiba.demo import load_heart_failure


def main() -> None:
    records = load_heart_failure()
    train_x, test_x, train_y, test_y = train_test_split(
        records.features, records.target, test_size=0.3, random_state=0, stratify=records.target
    )

    # The scikit-learn way.
    classifier = ceiba.CeibaClassifier(learning_rate=0.05, early_stopping_rounds=20, random_state=0)
    classifier.fit(train_x, train_y, eval_set=[(test_x, test_y)])
    print(
        f"kept {classifier.best_iteration_ + 1} trees, AUC "
        f"{roc_auc_score(test_y, classifier.predict_proba(test_x)[:, 1]):.3f}"
    )

    # The plain way: a Dataset knows its columns by name, and so does the Model.
    dataset = ceiba.Dataset(train_x, train_y, feature_names=records.feature_names)
    model = ceiba.train({"objective": "logistic", "n_estimators": 50, "max_leaves": 8}, dataset)
    path = Path("heart_failure.ceiba")
    model.save(path)
    again = ceiba.load_model(path)
    path.unlink()
    assert again.fingerprint() == model.fingerprint()
    print("first three risks:", again.predict(test_x[:3]).round(3))


if __name__ == "__main__":
    main()
