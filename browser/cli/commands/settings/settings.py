# SPDX-License-Identifier: MIT
"""``focal settings``: show or change the settings of the library."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.describing import enabled, networks, settings

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the setting and its new value."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="default: all")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="the new value")
    parser.add_argument("--default", action="store_true", help="return to the default")


def _access(arguments: argparse.Namespace) -> Access:
    return Access.READ if arguments.value is None and not arguments.default else Access.WRITE


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal settings [NAME [VALUE]]``."""
    if arguments.default and (arguments.name is None or arguments.value is not None):
        raise WrongUseError("--default returns one setting to its default: name it, without a value")
    if arguments.name is None:
        every = [one.document(library) for one in settings.SETTINGS.values()]
        text = [f"{one['name']} = {_text(one['value'])}  ({one['title']})" for one in every]
        terminal.result({"settings": every}, text)
        return 0
    one = settings.setting(arguments.name)
    if arguments.default or arguments.value is not None:
        _change(library, one, None if arguments.default else one.from_text(arguments.value))
    document = one.document(library)
    text = [f"{one.name} = {_text(document['value'])}", f"{one.help} Default: {_text(document['default'])}."]
    terminal.result(document, text)
    return 0


def _change(library: Library, one: settings.Setting[Any], value: Any) -> None:
    if one is settings.ENABLED:
        enabled.set_enabled(library, value)
        return
    if one is settings.NETWORKS:
        for name in {network.name for network in settings.NETWORKS.get(library)} - {
            network.name for network in value or ()
        }:
            networks.remove_network(library, name)
    one.set(library, value)


def _text(value: Any) -> str:
    if value is None:
        return "standard"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return ",".join(value)
    return json.dumps(value)


def _runs_in_window(arguments: argparse.Namespace) -> bool:
    """Return whether the value means the same in another process: paths are relative to the folder of this one."""
    return arguments.name not in (settings.BACKUP_FOLDER.name, settings.NETWORKS.name)


COMMAND = Command("show or change the settings of the library", run, _access, add_arguments, in_window=_runs_in_window)
