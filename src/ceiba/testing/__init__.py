"""Tools to test ceiba, and code that builds on it.

``reference``
    A slow, plain grower and predictor in numpy: what the engine must agree with.
``growth``, ``rounding``
    Its parts: how a tree grows, and gradients as integers.
``strategies``
    Hypothesis strategies for tables, weights, plans and whole trainings (needs hypothesis).
``forests``
    Random forests as plain arrays.
``targets``
    Example targets for every objective.
"""
