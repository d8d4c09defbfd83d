"""The database keeps to itself."""

import subprocess
import sys

from tests.fake_core import write_index
from tests.trees import environment

CODE = """
import sys; from pathlib import Path; from mmcg.store import open_index
print(open_index(Path(sys.argv[1])).rows("SELECT current_setting('enable_progress_bar')"))
"""


def test_nothing_is_drawn_on_stdout(tmp_path):
    """Where no script runs, DuckDB would draw a progress bar there for what takes long."""
    write_index(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "[(False,)]\n"
