"""Trainings whose rows are in several places: shards, and the exchange that joins them."""
