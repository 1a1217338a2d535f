# SPDX-License-Identifier: MIT
"""The commands: most have a module, whose ``COMMAND`` is the grammar and the implementation (`browser.cli.command`).

`library` adds, lists and finds photos; `settings` chooses descriptors; `recovery` undoes and restores; `exchange` reads
and writes data of other programs and libraries; `tagging` tags, judges and suggests; `ranking` ranks and manages
metrics. Only the module of the called command is loaded.
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
    "boxes": "tagging.boxes",
    "judge": "tagging.judge",
    "train": "ranking.train",
    "evaluate": "ranking.evaluate",
    "suggest": "tagging.suggest",
    "recognise": "ranking.recognise",
    "accept": "tagging.answer:ACCEPT",
    "reject": "tagging.answer:REJECT",
    "certify": "tagging.certify",
    "agree": "tagging.agree",
    "pick": "tagging.pick",
    "metrics": "ranking.metrics",
    "lens": "ranking.lens",
    "replay": "ranking.replay",
    "descriptors": "settings.descriptors",
    "networks": "settings.networks",
    "plugins": "settings.plugins",
    "settings": "settings.settings",
    "list": "library.list",
    "tags": "tagging.tags",
    "searches": "tagging.searches",
    "missing": "library.missing",
    "relocate": "library.relocate",
    "frames": "library.frames",
    "undo": "recovery.undo:UNDO",
    "redo": "recovery.undo:REDO",
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
    "completion": "settings.completion",
}
"""Module of each command by name, in the order of the help; ``module:NAME`` if it is not called ``COMMAND`` there."""


def load(name: str) -> Command:
    """Load the module of a command and return the command."""
    module, _, constant = COMMANDS[name].partition(":")
    command: Command = getattr(importlib.import_module(f"{__name__}.{module}"), constant or "COMMAND")
    return command
