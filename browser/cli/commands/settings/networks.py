# SPDX-License-Identifier: MIT
"""``focal networks``: list, add, try, rename and remove the user's own networks."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.cli.arguments import Parser, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands.settings.descriptors import add_input_options, input_options
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.describing import networks, try_network

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library
    from focal_photos.features.network.network import NetworkDescriptor

_OF_AN_ADDED_ONE: Final = ("name", "text", "tokenizer", "config", "context", "text_output", "share", "unit_length")


def add_arguments(parser: Parser) -> None:
    """Add the actions, and the options of a network."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--add", type=Path, metavar="FILE", help="add an ONNX file that takes an image")
    what.add_argument("--try", dest="tried", metavar="NAME", help="run it on ten photos: what it takes")
    what.add_argument("--rename", nargs=2, metavar=("NAME", "TITLE"), help="change the displayed name; vectors stay")
    what.add_argument("--remove", metavar="NAME", help="take a network out again; its files stay")
    network = parser.add_argument_group("the network that is added")
    network.add_argument("--name", metavar="NAME", help="small letters, digits, underscores")
    network.add_argument("--text", type=Path, metavar="FILE", help="its half for texts, another ONNX file")
    network.add_argument("--tokenizer", type=Path, metavar="FILE", help="the tokenizer.json of that half")
    network.add_argument("--config", type=Path, metavar="FILE", help="its preprocessor_config.json; other options win")
    add_input_options(network)
    network.add_argument("--share", type=float, metavar="S", help="of the shorter side that is used (default: 1)")
    network.add_argument(
        "--unit-length",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="divide vectors by their length (default: where it has a half for texts)",
    )
    network.add_argument("--context", type=positive, metavar="N", help="cut texts to, or fill them up to, N tokens")
    network.add_argument("--text-output", metavar="NAME", help="output of the half for texts (default: text_embeds...)")


def _access(arguments: argparse.Namespace) -> Access:
    return Access.WRITE if arguments.add or arguments.rename or arguments.remove else Access.READ


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal networks``."""
    if arguments.add is None and (input_options(arguments) or any(_given(arguments))):
        raise WrongUseError("--name, --text, --size and the like describe a network: put --add FILE before them")
    if arguments.tried is not None:
        return _try(library, networks.find_network(library, arguments.tried), terminal)
    if arguments.add is not None:
        networks.add_network(library, _entry(arguments))
    if arguments.rename is not None:
        networks.rename_network(library, *arguments.rename)
    if arguments.remove is not None:
        networks.remove_network(library, arguments.remove)
    return _list(library, terminal)


def _given(arguments: argparse.Namespace) -> list[bool]:
    return [getattr(arguments, name) is not None for name in _OF_AN_ADDED_ONE]


def _entry(arguments: argparse.Namespace) -> dict[str, Any]:
    if not arguments.name:
        raise WrongUseError("a network needs a name among the descriptors: add --name NAME")
    if (arguments.text is None) != (arguments.tokenizer is None):
        raise WrongUseError("a network for images and texts has two more files: give --text and --tokenizer")
    if arguments.text is None and (arguments.context or arguments.text_output):
        raise WrongUseError("--context and --text-output are about a half for texts: give --text and --tokenizer too")
    entry = networks.preprocessing_of(arguments.config) if arguments.config is not None else {}
    entry |= {"name": arguments.name, "file": str(arguments.add.absolute()), **input_options(arguments)}
    for name in ("share", "unit_length"):
        if getattr(arguments, name) is not None:
            entry[name] = getattr(arguments, name)
    if arguments.text is not None:
        text = {"file": str(arguments.text.absolute()), "tokenizer": str(arguments.tokenizer.absolute())}
        more = {"context": arguments.context, "output": arguments.text_output}
        entry["text"] = {**text, **{name: value for name, value in more.items() if value is not None}}
    return entry


def _try(library: Library, network: NetworkDescriptor, terminal: Terminal) -> int:
    trial = terminal.run(try_network.try_network(library, network))
    lines = [
        f"{network.title}: {trial.dimension} values, run by {trial.backend}",
        f"{1000 * trial.seconds:.1f} ms of processor time for a photo, {1000 * trial.decoding_seconds:.1f} ms for its "
        f"decoding ({trial.tried} photos tried); {trial.loading_seconds:.1f} s until it was loaded",
        f"All {trial.photos} photos: about {trial.library_seconds:.0f} s on all processors, "
        f"{trial.library_bytes / 1e6:.1f} MB on the disk",
    ]
    if trial.unreadable:
        lines.append(f"{trial.unreadable} photos could not be read.")
    terminal.result({"name": network.name, **dataclasses.asdict(trial)}, lines)
    return 0


def _list(library: Library, terminal: Terminal) -> int:
    states = networks.network_states(library)
    documents = [
        {
            "name": one.network.name,
            "title": one.network.title,
            "on": one.on,
            "file": one.network.file,
            "text": None if one.network.text is None else one.network.text.file,
            "size": [one.network.width, one.network.height],
            "dimension": one.network.dimension,
            "photos": one.photos,
            "backend": one.backend,
        }
        for one in states
    ]
    lines = [
        f"{'*' if one.on else ' '} {one.network.name:<24} {one.network.dimension:>5} values  {one.photos:>7} photos  "
        f"{'images and texts' if one.network.text is not None else 'images':<16}  {one.backend}  "
        f"{path_text(Path(one.network.file))}"
        + (f"  ({one.network.title})" if one.network.title != one.network.name else "")
        for one in states
    ]
    terminal.result({"networks": documents}, lines or "There is no network yet: focal networks --add FILE --name NAME.")
    return 0


COMMAND = Command(
    "list the networks of your own, add, try, rename and remove them",
    run,
    _access,
    add_arguments,
    in_window=True,
    epilog=(
        "What is added takes effect with the next focal index. Example: focal networks --add image.onnx --name both "
        "--text text.onnx --tokenizer tokenizer.json --config preprocessor_config.json"
    ),
)
