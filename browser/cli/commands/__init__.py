"""The commands, a module each: ``COMMAND`` in it is the grammar beside what it does (`browser.cli.command`).

`library` holds what takes photos in, lists and finds them again; `settings` by what they are described; `recovery` what
brings back what was; `exchange` what is written for other programs and libraries, and read from them; `tagging` what
tags, judges and suggests; `ranking` what ranks, and the metrics for it.
Only the module of the command that is called is loaded.
"""

from __future__ import annotations

import importlib
from typing import Final

from focal_photos.browser.cli.command import Command

COMMANDS: Final = {
    "index": "library.index",
    "rank": "ranking.rank",
    "tag": "tagging.tag",
    "rate": "tagging.rate",
    "judge": "tagging.judge",
    "train": "ranking.train",
    "evaluate": "ranking.evaluate",
    "suggest": "tagging.suggest",
    "recognise": "ranking.recognise",
    "accept": "tagging.accept",
    "reject": "tagging.reject",
    "certify": "tagging.certify",
    "metrics": "ranking.metrics",
    "lens": "ranking.lens",
    "descriptors": "settings.descriptors",
    "networks": "settings.networks",
    "settings": "settings.settings",
    "list": "library.list",
    "tags": "tagging.tags",
    "searches": "tagging.searches",
    "missing": "library.missing",
    "relocate": "library.relocate",
    "frames": "library.frames",
    "undo": "recovery.undo",
    "redo": "recovery.redo",
    "sidecars": "exchange.sidecars",
    "export": "exchange.export",
    "import": "exchange.import_",
    "archive": "exchange.archive",
    "unpack": "exchange.unpack",
    "merge": "exchange.merge",
    "check": "recovery.check",
    "backup": "recovery.backup",
    "restore": "recovery.restore",
    "rescue": "recovery.rescue",
    "demo": "library.demo",
}
"""The modules of the commands by their names, in the order in which the help names them."""


def load(name: str) -> Command:
    """Return a command, whose module is loaded now."""
    command: Command = importlib.import_module(f"focal_photos.browser.cli.commands.{COMMANDS[name]}").COMMAND
    return command
