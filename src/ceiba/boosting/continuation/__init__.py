"""Training from existing trees: continued training, checkpoints and refits."""
