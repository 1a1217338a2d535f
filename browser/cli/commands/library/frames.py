# SPDX-License-Identifier: MIT
"""``focal frames``: write the frames of a DICOM file as pictures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.photos import frames

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the file and the folder."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a DICOM file")
    parser.add_argument("--output", type=Path, metavar="FOLDER", required=True, help="for FILE-0001.png and so on")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal frames FILE --output FOLDER``."""
    files = terminal.run(frames.write_frames(library, arguments.file, arguments.output))
    folder = arguments.output.absolute()
    document = {"folder": str(folder), "frames": [str(file.absolute()) for file in files]}
    number = "1 frame" if len(files) == 1 else f"{len(files)} frames"
    terminal.result(document, f"{number} in {path_text(folder)}: to take in with focal index")
    return 0


COMMAND = Command("write the frames of a DICOM file as pictures", run, Access.READ, add_arguments)
