"""Reference implementations and test data for ceiba and for code that builds on it.

``reference``
    Slow grower and predictor in numpy that the C++ core must match.
``growth``, ``growth_limits``, ``trees``, ``gains``, ``ranking``, ``categories``, ``columns``,
``rounding``, ``candidates``
    Parts of the reference grower: growth, limits and pruning, state of a tree, gains, ranking of
    candidates, categorical splits, column sampling, gradient rounding, candidates of approx.
``linear_gain``, ``linear_leaves``, ``residuals``, ``prefix_scores``, ``dropped``
    References of linear gains, linear leaves, residual leaves, ordered boosting and DART.
``cart``, ``shapley``, ``samples``, ``target_statistics``
    CART trees, Shapley values, row samples and target statistics by their definitions.
``strategies``, ``forest_strategies``
    Hypothesis strategies for tables, weights, plans, trainings and forests (need hypothesis).
``forests``, ``targets``
    Random forests as plain arrays, and example targets for every objective.
"""
