"""`python -m mmcg` is the command `mastermind`."""

from __future__ import annotations

from mmcg.cli.main import main

main()
