"""Which trees are on file systems that only this system writes to."""

from __future__ import annotations

import os

import pytest

from mmcg.mcp.mounts import only_ours

TABLE = """\
21 1 254:0 / / rw,relatime - ext4 /dev/root rw
22 21 0:21 / /proc rw,relatime - proc proc rw
23 21 0:30 / /mnt/nas rw shared:7 - nfs4 nas:/all rw
24 21 0:31 / /mnt/nas/fast rw - xfs /dev/sdb rw
25 21 0:32 / /home/a\\040b rw - fuse.sshfs a@b: rw
26 21 0:33 / /srv rw - btrfs /dev/sdc rw
27 21 0:34 / /srv rw - cifs //nas/srv rw
28 21 0:35 / /data/mixed/vendored rw - virtiofs host rw
"""


@pytest.mark.parametrize(
    ("root", "ours"),
    [
        ("/data", False),  # There is something of another system below it.
        ("/data/project", True),
        ("/data/mixed", False),
        ("/data/mixed/own", True),
        ("/mnt/nas/project", False),
        ("/mnt/nas/fast/project", True),
        ("/mnt/nas2", True),
        ("/home/a b/project", False),
        ("/home/a", True),
        ("/srv/project", False),  # The later mount hides the earlier.
        ("/", False),
    ],
)
def test_the_file_systems_at_and_below_a_folder_decide(tmp_path, monkeypatch, root, ours):
    table = tmp_path / "mountinfo"
    table.write_text(TABLE, encoding="utf-8")
    monkeypatch.setattr(os.path, "realpath", lambda path: str(path))
    assert only_ours(root, table) is ours


@pytest.mark.parametrize("text", ["", "nonsense", "1 2 3\n"])
def test_what_is_not_known_is_not_trusted(tmp_path, text):
    table = tmp_path / "mountinfo"
    assert only_ours(tmp_path, table) is False
    table.write_text(text, encoding="utf-8")
    assert only_ours(tmp_path, table) is False
