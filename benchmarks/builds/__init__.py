"""Compare two builds of ceiba: instructions, time, memory and file size."""
