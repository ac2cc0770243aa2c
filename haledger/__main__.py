"""Lets `python -m haledger` do what the installed command does."""

import sys

from haledger import main

sys.exit(main())
