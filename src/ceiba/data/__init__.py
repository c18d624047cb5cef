"""Tables become datasets: readers, the schema, bins and queries."""
