# SPDX-License-Identifier: MIT
"""Full disk: read-only commands work, and all others report it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.catalog.processes import can_make_small_disk, run_on_small_disk
from tests.browser.operations.album import Album

SCRIPT = """
import contextlib, io, os, sys
from pathlib import Path
from focal_photos.browser.cli import main

disk, photos = Path(sys.argv[1]), Path(@PHOTOS@)
library = ["--library", str(disk / "library")]
warm, cold = ([str(photos / kind / f"{n}.jpg") for n in range(5)] for kind in ("warm", "cold"))

def focal(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*words, *library])
    return code, out.getvalue(), err.getvalue()

assert focal("index", str(photos), "--descriptors", "color_moments,gabor")[0] == 0
assert focal("tag", *warm[:3], "+warm")[0] == 0
assert focal("tag", *cold[:3], "+cold")[0] == 0
wanted = focal("rank", warm[0])
assert wanted[0] == 0
changes = [([], 0)]
changes += [(["tag", warm[3], "+other"], 0), (["train"], 0), (["train"], 40_000), (["tag", warm[3], "+x"], 9_000)]
for change, spare in changes:
    if change:
        assert focal(*change)[0] == 0, change
    with (disk / "ballast").open("wb", buffering=0) as ballast:
        with contextlib.suppress(OSError):
            while True:
                ballast.write(bytes(4096))
        with contextlib.suppress(OSError):
            while True:
                ballast.write(bytes(1))
        ballast.truncate(ballast.tell() - spare)  # room to open the library, and none for what is worked out
    for words in (["rank", warm[0]], ["suggest", "--untagged"], ["list"], ["tags"], ["metrics"], ["export"], ["check"]):
        code, out, err = focal(*words)
        if words != ["check"] or not spare:  # which writes where it can
            assert code == 0, (change, words, out, err)
            assert out, words
    code, out, err = focal("tag", warm[4], "+more")
    assert (code == 1 and "is full" in err) or (code == 0 and spare), (code, out, err)
    (disk / "ballast").unlink()
print("done")
"""


@pytest.mark.slow
@pytest.mark.skipif(not can_make_small_disk(), reason="no small disk can be mounted here")
def test_read_only_commands_work_on_a_full_disk(album: Album, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    assert run_on_small_disk(SCRIPT.replace("@PHOTOS@", repr(str(album.folder))), disk, "8m").splitlines()[-1] == "done"
