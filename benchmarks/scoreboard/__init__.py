"""The scoreboard of default models: ``make quality``.

1. ``halves.py``    tables that select the default policy, and tables that confirm it
2. ``tables.py``    loader, splits and metrics: those of ``../shared/quality``
3. ``models.py``    ceiba with any parameters, and the defaults of the peers
4. ``run.py``       computes missing results, one row per table, split and model
5. ``standings.py`` mean rank, wins, mean loss and time; paired differences with intervals
6. ``page.py``      table and chart of the documentation
"""
