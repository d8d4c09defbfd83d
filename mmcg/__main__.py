"""`python -m mmcg` is the command `mastermind`."""

import sys

# `-m` puts the working folder first, which may be the repository at hand: its `copy.py` is no module of ours to run.
if not sys.flags.safe_path:
    del sys.path[0]

from mmcg.cli.main import main

main()
