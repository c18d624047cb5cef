"""Two builds of ceiba against each other: instructions, time, memory and file size."""
