"""Boosting modes: how trees of a round enter the scores (plain, DART, forest, ordered)."""
