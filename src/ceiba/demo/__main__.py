"""``python -m ceiba.demo`` runs the tour."""

from ceiba.demo.tour import main

main()
