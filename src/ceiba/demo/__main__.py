"""Entry point of ``python -m ceiba.demo``."""

from ceiba.demo.tour import main

main()
