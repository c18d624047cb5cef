"""Tools to test ceiba, and code that builds on it.

``reference``
    A slow, plain grower and predictor in numpy: what the engine must agree with.
``rounding``
    Gradients as integers, in numpy: what the reference and the engine both start from.
``strategies``
    Hypothesis strategies for tables, weights, plans and whole trainings (needs hypothesis).
``forests``
    Random forests as plain arrays.
"""
