"""Read tables into datasets: readers, the schema, bins and queries."""
