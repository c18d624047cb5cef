"""A table as it is: text, identifiers, dates and missing values, without preparation."""

import datetime as dt
import random
from pathlib import Path
from typing import Any

import ceiba

CITIES = {"Bonn": 3.0, "Cairo": -1.0, "Lima": 2.0, "Oslo": 0.0, "Quito": -2.0, "Rome": 1.0}


def make_sales(n_rows: int) -> list[dict[str, Any]]:
    """Return sales whose amount depends on the city, the shop and the day of the year."""
    drawn = random.Random(0)
    shops = {10**18 + number: drawn.gauss(0, 2) for number in range(40)}  # too large for a float
    sales = []
    for _ in range(n_rows):
        city, shop = drawn.choice(list(CITIES)), drawn.choice(list(shops))
        day = dt.date(2023, 1, 1) + dt.timedelta(days=drawn.randrange(365))
        amount = 20 + CITIES[city] + shops[shop] + 5 * (day.month == 12) + drawn.gauss(0, 1)
        known_city = city if drawn.random() < 0.95 else None
        sales.append({"city": known_city, "shop": shop, "day": day, "amount": amount})
    return sales


def main() -> None:
    sales = make_sales(4000)
    names = ("city", "shop", "day")
    rows = [[sale[name] for name in names] for sale in sales]
    amounts = [sale["amount"] for sale in sales]

    # Text is a category by itself; shops are numbers and have to be named.
    table = {"feature_names": names, "categorical_features": ["shop"]}
    learned = ceiba.Dataset(rows[:3000], amounts[:3000], **table)
    scored = ceiba.Dataset(rows[3000:], amounts[3000:], **table)
    model = ceiba.train(
        {"n_estimators": 300, "early_stopping_rounds": 20}, learned, eval_sets={"later": scored}
    )
    print(model.schema)
    print(f"{model.n_iterations} trees, RMSE {model.best_score['later']['rmse']:.2f}")

    # One row may be a dictionary, and a city that nobody has seen counts as missing.
    row = {"city": "Lima", "shop": 10**18 + 7, "day": dt.date(2023, 12, 24)}
    print(f"Lima: {model.predict(row)[0]:.1f}")
    print(f"Atlantis: {model.predict({**row, 'city': 'Atlantis'})[0]:.1f}")

    path = Path("sales.ceiba")
    model.save(path)
    assert ceiba.load_model(path).predict(row) == model.predict(row)
    path.unlink()


if __name__ == "__main__":
    main()
