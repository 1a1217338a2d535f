# SPDX-License-Identifier: MIT
"""The commands of the tutorials and how-tos work: all of them run, in order, on the demo album."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from tests.browser.cli.command_line import Focal
from tests.guide import text_of

CHAPTERS: Final = (
    *("holiday.md", "camera-trap.md", "scans.md"),
    *("installing.md", "browsing.md", "teaching.md", "reviewing.md", "libraries.md", "exchanging.md"),
    "troubleshooting.md",
)

NEEDED: Final = {
    "focal agree ~/colleague.focal.zip": ["focal archive ~/colleague.focal.zip"],
    "focal boxes suggest --tag dog --min-confidence .8 --accept": [
        "focal boxes IMAGE --add 0.2,0.2,0.5,0.5 --tag dog",
        "focal boxes OTHER --add 0.3,0.2,0.5,0.5 --tag dog",
    ],
    "focal rank IMAGE --box 0.4,0.2,0.3,0.3": ["focal descriptors --on fisher_windows", "focal index"],
    "focal import all.jsonl --format jsonl --what everything": [
        "focal export --what everything --output all.jsonl --force"
    ],
    "focal tag --from-jsonl photos.jsonl": ["focal export --format jsonl --output photos.jsonl"],
    "focal judge --from-jsonl judgements.jsonl": [
        "focal export --what judgements --format jsonl --output judgements.jsonl"
    ],
    "focal import FOLDER --format voc": ["focal export --format voc --output folder-import-FOLDER"],
    "focal check --read-data": ["focal backup"],
    "focal restore --undo": ["focal restore"],
    "focal lens export kernel-3 birds.focal-lens": [
        "focal judge IMAGE OTHER --similar",
        "focal train --learner kernel --keep",
        "focal train --learner kernel --keep",
    ],
}
"""Commands that the reader has run before, by those that need them."""

REFUSED: Final = {"focal lens try birds.focal-lens": "was trained in this library"}
"""Commands for files of other people, and the error for a file of the same library."""

WINDOWS: Final = ("focal ~/Pics", "focal photo.jpg")
"""Commands that open a window."""


def commands_in(text: str) -> list[str]:
    """Return the whole commands of a chapter: lines of code blocks, and spans with arguments."""
    found = [line.split("  #")[0].strip() for line in text.splitlines() if line.startswith("    ")]
    found += [re.sub(r"\s+", " ", span) for span in re.findall(r"`([^`]+)`", text) if len(span.split()) > 2]
    return [line for line in found if line.startswith("focal ") and not re.search(r"[\[|]", line)]


class Reader:
    """A reader of the guide in a folder with the demo album and its library."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.focal = Focal(folder / "album.library", capsys)
        self.focal("demo", folder / "album", "--count", "40")
        self.photos = sorted((folder / "album").rglob("*.jpg"))
        (folder / "stick" / "backups").mkdir(parents=True)
        for photo in self.photos[1:4]:
            self.focal("judge", self.photos[0], photo, "--similar")
        self.focal("train", "--learner", "kernel", "--keep")

    def words(self, line: str) -> list[str]:
        """Return the arguments of a command of the guide, with files instead of their names."""
        named = {
            "FILE": {"evaluate": "curves.svg", "rank": str(self.photos[0])}.get(line.split()[1], "answers.csv"),
            "FOLDER": "folder-" + "-".join(line.split()[1:3]),
            "DIR": str(self.focal.library),
            "IMAGE": str(self.photos[0]),
            "OTHER": str(self.photos[1]),
            "FOCAL": str(self.photos[0]),
            "IMAGE...": str(self.photos[1]),
            "N": "2",
            "NAME": "kernel",
            "/media/stick/backups": str(self.folder / "stick" / "backups"),
        }
        line = line.replace("~", str(self.folder))
        return [named.get(word, word) for word in shlex.split(line)[1:]]

    def follow(self, line: str) -> None:
        """Run a command, after those that it needs."""
        for former in NEEDED.get(line, ()):
            self.focal(*self.words(former))
        self.focal(*self.words(line), code=int(line in REFUSED))
        assert REFUSED.get(line, "") in self.focal.err


@pytest.mark.slow
def test_every_command_of_tutorials_and_how_tos_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, capsys)
    lines = list(dict.fromkeys(line for chapter in CHAPTERS for line in commands_in(text_of(chapter))))
    assert len(lines) > 30
    failed = {}
    for line in lines:
        if line not in WINDOWS:
            try:
                reader.follow(line)
            except (AssertionError, SystemExit) as error:
                failed[line] = str(error)
    assert failed == {}, "\n".join(f"{line}: {error}" for line, error in failed.items())
