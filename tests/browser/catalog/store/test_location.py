# SPDX-License-Identifier: MIT
from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.location import absolute, network_drive

MOUNTS = """\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:40 / /net/photos rw,relatime shared:1 - nfs4 server:/photos rw
31 22 0:41 / /net/photos/local rw - tmpfs tmpfs rw
32 22 0:42 / /mnt/my\\040share rw - cifs //server/share rw
33 22 0:43 / /home/me/remote rw master:2 propagate_from:1 - fuse.sshfs me@host: rw
34 22 0:44 / /home/me/disk rw - fuse.ntfs-3g /dev/sdb1 rw
35 22 0:45 / /mnt/twice rw - ext4 /dev/sdc1 rw
36 35 0:46 / /mnt/twice rw - nfs server:/twice rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/library", None),
        ("/net/photos", "nfs4"),
        ("/net/photos/deep/library", "nfs4"),
        ("/net/photos2", None),
        ("/net/photos/local/library", None),
        ("/mnt/my share/library", "cifs"),
        ("/home/me/remote/x", "sshfs"),
        ("/home/me/disk/x", None),
        ("/mnt/twice/library", "nfs"),  # of two mounts at this path, the later is visible
    ],
)
def test_network_drives_are_distinguished_from_local_ones(tmp_path: Path, path: str, kind: str | None) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(MOUNTS)
    assert network_drive(Path(path), table) == kind


def test_without_a_mount_table_every_drive_counts_as_local(tmp_path: Path) -> None:
    assert network_drive(Path("/net/photos"), tmp_path / "none") is None
    assert network_drive(tmp_path) is None


def test_absolute_keeps_symbolic_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert absolute(Path("link/../link/x")) == tmp_path / "link" / "x"


def test_times_are_stored_in_utc_and_sort_as_text() -> None:
    moment = datetime(2024, 5, 31, 12, 0, 0, 120, tzinfo=timezone(timedelta(hours=2)))
    assert timestamps.to_text(moment) == "2024-05-31T10:00:00.000120"
    assert timestamps.from_text(timestamps.to_text(moment)) == moment
    whole = datetime(2024, 5, 31, 10, tzinfo=UTC)
    assert timestamps.to_text(whole) < timestamps.to_text(moment) < timestamps.to_text(whole + timedelta(seconds=1))
    naive = datetime.now()
    assert abs(timestamps.from_text(timestamps.to_text(naive)) - datetime.now(UTC)) < timedelta(seconds=60)
