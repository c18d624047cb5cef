"""The scoreboard of default models: ``make quality``.

1. ``halves.py``    which tables choose the default policy, and which ones confirm it
2. ``tables.py``    loader, splits and metrics: those of ``../shared/quality``
3. ``models.py``    the contestants: ceiba with any settings, and the defaults of the peers
4. ``run.py``       trains what the result file lacks, one row for each table, split and model
5. ``standings.py`` mean rank, wins, mean loss and time; paired differences with intervals
6. ``page.py``      the table and the chart of the documentation
"""
