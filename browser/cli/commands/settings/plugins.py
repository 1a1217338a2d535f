# SPDX-License-Identifier: MIT
"""``focal plugins``: list the installed plug-ins, and whether they work."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

from focal_photos.browser.catalog import library
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.operations.library import plugins


def run_closed(folder: Path, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal plugins``."""
    with _library(folder) as opened:
        found = plugins.plugin_overview(opened)
    document = {
        "plugins": [asdict(one) for one in found.plugins],
        "absent_descriptors": list(found.absent),
        "lost_metrics": list(found.lost_metrics),
    }
    text = [_line(one) for one in found.plugins]
    text += [f"absent: the descriptor {name} is switched on in this library" for name in found.absent]
    text += [f"absent: the learner of the metric {title}" for title in found.lost_metrics]
    terminal.result(document, text)
    if not found.plugins:
        terminal.say("focal: no plug-ins are installed; the guide describes how to write one")
    return 0


def _library(folder: Path) -> library.Library | nullcontext[None]:
    """Open the library in a folder read-only; plug-ins are listed without one too."""
    try:
        if (folder / "catalog.sqlite").is_file():
            return library.Library.open(folder, read_only=True)
    except library.LibraryError:
        pass
    return nullcontext()


def _line(one: plugins.PluginState) -> str:
    parts = f"{one.package} {one.version}"
    return f"{parts:<28} {one.kind:<12} {one.name:<24} {one.state:<9} {one.reason}".rstrip()


COMMAND = Command(
    "list the installed plug-ins, what they offer, and whether they work",
    access=Access.READ,
    run_closed=run_closed,
)
