"""Recipe auto: choose trees, leaves, learning rate and number of rounds by held-out rows.

The life of a policy fit:

1. ``exceptions.py`` lists when the policy trains once instead: few rows, a given number of rounds,
   continued training and others.
2. ``plan.py`` turns facts about the table into a plan: candidates, folds, rounds, learning rates.
   Its budget counts rounds and rows, never seconds.
3. ``folds.py`` holds rows out by a hash of their contents.
4. ``race.py`` trains the candidates in step. In each heat the best candidate survives the first
   rounds; it goes on until the held-out rows stop improving.
5. ``finish.py`` lets the winners use all rows, and averages them to one model.
6. ``fit.py`` does these steps, with callbacks and eval sets; ``decisions.py`` records them.
"""
