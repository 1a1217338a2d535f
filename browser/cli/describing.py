"""Commands about how photos are described: descriptors, settings."""

from __future__ import annotations

import argparse
import json
from typing import Any

from browser.catalog.library import Library
from browser.cli.terminal import Terminal, WrongUseError
from browser.operations.describing.enabled import add_network, choose, remove_network, switch
from browser.operations.describing.overview import DescriptorState, overview
from browser.operations.describing.settings import CHOSEN, NETWORKS, SETTINGS, Setting, setting

_OPTIONS = ("mean", "scale", "channels", "layout", "framing", "output")


def descriptors(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal descriptors``."""
    if arguments.add_network is None and (arguments.name or arguments.size or _given(arguments)):
        raise WrongUseError("--name, --size and the like describe a network: add --add-network FILE")
    if arguments.standard and (arguments.on or arguments.off):
        raise WrongUseError("--standard says what is on and what is off: leave --on and --off out")
    if arguments.add_network is not None:
        if not arguments.name:
            raise WrongUseError("a network needs a name among the descriptors: add --name NAME")
        entry: dict[str, Any] = {"name": arguments.name, "file": str(arguments.add_network.absolute())}
        if arguments.size:
            entry["width"], entry["height"] = arguments.size
        add_network(library, {**entry, **_given(arguments)})
    if arguments.remove_network is not None:
        remove_network(library, arguments.remove_network)
    if arguments.standard:
        choose(library, None)
    if arguments.on or arguments.off:
        switch(library, arguments.on, arguments.off)
    states = overview(library)
    terminal.result({"descriptors": [_document(state) for state in states]}, [_line(state) for state in states])
    return 0


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    return {name: value for name in _OPTIONS if (value := getattr(arguments, name)) is not None}


def _document(state: DescriptorState) -> dict[str, Any]:
    return {
        "name": state.name,
        "title": state.title,
        "kind": state.kind,
        "on": state.on,
        "dimension": state.dimension,
        "learned_from": state.learned_from,
        "key": state.key,
        "photos": state.photos,
        "bytes": state.bytes,
    }


def _line(state: DescriptorState) -> str:
    stored = f"{state.photos} photos, {state.bytes / 1e6:.1f} MB" if state.photos else ""
    if state.on and state.key is None:
        stored = "learns with the next focal index"
    parts = f"{state.name:<24} {state.kind:<9} {state.dimension:>5}  {state.title}"
    return f"{'*' if state.on else ' '} {parts:<76} {stored}".rstrip()


def settings(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal settings [NAME [VALUE]]``."""
    if arguments.default and (arguments.name is None or arguments.value is not None):
        raise WrongUseError("--default returns one setting to its default: name it, without a value")
    if arguments.name is None:
        every = [one.document(library) for one in SETTINGS.values()]
        text = [f"{one['name']} = {_shown(one['value'])}  ({one['title']})" for one in every]
        terminal.result({"settings": every}, text)
        return 0
    one = setting(arguments.name)
    if arguments.default or arguments.value is not None:
        _change(library, one, None if arguments.default else one.from_text(arguments.value))
    document = one.document(library)
    text = [f"{one.name} = {_shown(document['value'])}", f"{one.help} Default: {_shown(document['default'])}."]
    terminal.result(document, text)
    return 0


def _change(library: Library, one: Setting[Any], value: Any) -> None:
    if one is CHOSEN:
        choose(library, value)
        return
    if one is NETWORKS:
        for name in {network.name for network in NETWORKS.get(library)} - {network.name for network in value or ()}:
            remove_network(library, name)
    one.set(library, value)


def _shown(value: Any) -> str:
    if value is None:
        return "standard"
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return ",".join(value)
    return json.dumps(value)
