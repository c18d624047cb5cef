"""Sources of tables that are read block by block: files, queries and functions."""
