"""Lets `python -m haledger` do what the installed command does."""

from haledger import main

main()
