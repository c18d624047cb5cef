"""One module per section of a report page; ``write.py`` lists them in the order of the page."""
