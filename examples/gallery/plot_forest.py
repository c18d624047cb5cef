"""
Forest with out-of-bag error
============================

Each tree of a random forest is grown on a bootstrap sample. About 37 % of the rows are
not in this sample. They estimate the error without a validation set: the out-of-bag error.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1

from ceiba import CeibaForestRegressor

X, y = make_friedman1(1500, noise=1.5, random_state=0)
X_test, y_test = make_friedman1(3000, noise=1.5, random_state=1)

sizes = [25, 50, 100, 200, 400]
out_of_bag, test = [], []
for size in sizes:
    forest = CeibaForestRegressor(size, oob_score=True, max_features=0.5, random_state=0)
    forest.fit(X, y)

    out_of_bag.append(np.sqrt(np.mean((forest.oob_prediction_ - y) ** 2)))
    test.append(np.sqrt(np.mean((forest.predict(X_test) - y_test) ** 2)))
    print(f"{size:3} trees: out-of-bag RMSE {out_of_bag[-1]:.3f}, test RMSE {test[-1]:.3f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
left.plot(sizes, out_of_bag, "o-", label="out-of-bag")
left.plot(sizes, test, "o-", label="test")
left.set(xlabel="trees", ylabel="RMSE", xscale="log")
left.set_xticks(sizes, [str(size) for size in sizes])
left.minorticks_off()
left.legend()

importances = forest.oob_importances(X, y, n_repeats=3)
right.barh([str(name) for name in importances["feature"]][::-1], importances.iloc[::-1, 1])
right.set(xlabel=importances.columns[1], title="out-of-bag importances")
plt.show()
