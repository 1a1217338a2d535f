# SPDX-License-Identifier: MIT
"""``focal descriptors``: list descriptors, switch them on or off, and add networks."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.cli.arguments import Parser, names
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.describing import enabled, networks, overview
from focal_photos.browser.operations.ranking import space

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

_Arguments = argparse._ArgumentGroup
_OF_A_NETWORK: Final = ("mean", "scale", "channels", "layout", "framing", "output")


def add_arguments(parser: Parser) -> None:
    """Add the descriptors to switch, and the options of a network."""
    parser.add_argument("--on", type=names, default=[], metavar="NAMES", help="switch on; names separated by commas")
    parser.add_argument("--off", type=names, default=[], metavar="NAMES", help="switch off; names separated by commas")
    parser.add_argument("--standard", action="store_true", help="switch on what a new library has, and nothing else")
    parser.add_argument("--add-network", type=Path, metavar="FILE", help="an ONNX file that takes an image")
    parser.add_argument("--remove-network", metavar="NAME", help="take a network out again; its file stays")
    network = parser.add_argument_group("the network")
    network.add_argument("--name", metavar="NAME", help="small letters, digits, underscores")
    add_input_options(network)


def add_input_options(network: _Arguments) -> None:
    """Add the options of a network's input and output."""
    network.add_argument("--size", type=_size, metavar="WxH", help="of its input, where the file does not say it")
    network.add_argument("--mean", type=_numbers, metavar="R,G,B", help="taken from levels of 0 to 255 (default: 0)")
    network.add_argument("--scale", type=_numbers, metavar="S or R,G,B", help="multiplied with then (default: 1/255)")
    network.add_argument("--channels", choices=("RGB", "BGR"), help="order of the channels (default: RGB)")
    network.add_argument("--layout", choices=("NCHW", "NHWC"), help="order of the axes (default: NCHW)")
    network.add_argument("--framing", choices=("crop", "squeeze"), help="how a photo is made to fit (default: crop)")
    network.add_argument("--output", metavar="NAME", help="output or inner value to take (default: last output)")


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 224x224")
    return int(width), int(height)


def _numbers(text: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 3):
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor three, separated by commas")
    return numbers


def _access(arguments: argparse.Namespace) -> Access:
    changes = (arguments.on, arguments.off, arguments.standard, arguments.add_network, arguments.remove_network)
    return Access.WRITE if any(changes) else Access.READ


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal descriptors``."""
    if arguments.add_network is None and (arguments.name or input_options(arguments)):
        raise WrongUseError("--name, --size and the like describe a network: add --add-network FILE")
    if arguments.standard and (arguments.on or arguments.off):
        raise WrongUseError("--standard says what is on and what is off: leave --on and --off out")
    if arguments.add_network is not None:
        if not arguments.name:
            raise WrongUseError("a network needs a name among the descriptors: add --name NAME")
        entry: dict[str, Any] = {"name": arguments.name, "file": str(arguments.add_network.absolute())}
        networks.add_network(library, {**entry, **input_options(arguments)})
    if arguments.remove_network is not None:
        networks.remove_network(library, arguments.remove_network)
    if arguments.standard:
        enabled.set_enabled(library, None)
    if arguments.on or arguments.off:
        enabled.change_enabled(library, arguments.on, arguments.off)
    states, silent = overview.overview(library), space.left_out(library)
    documents = [{**_document(state), "left_out": state.key in silent} for state in states]
    terminal.result({"descriptors": documents}, [_line(state, state.key in silent) for state in states])
    return 0


def input_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a network that its options specify."""
    found = {name: value for name in _OF_A_NETWORK if (value := getattr(arguments, name)) is not None}
    return {**found, "width": arguments.size[0], "height": arguments.size[1]} if arguments.size else found


def _document(state: overview.DescriptorState) -> dict[str, Any]:
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


def _line(state: overview.DescriptorState, silent: bool) -> str:
    stored = f"{state.photos} photos, {state.bytes / 1e6:.1f} MB" if state.photos else ""
    if state.on and state.key is None:
        stored = "fitted at the next focal index"
    if silent:
        stored += ", left out of rankings: photos without colours"
    parts = f"{state.name:<24} {state.kind:<9} {state.dimension:>5}  {state.title}"
    return f"{'*' if state.on else ' '} {parts:<76} {stored}".rstrip()


COMMAND = Command(
    "list the descriptors of photos, switch some on or off, or add a network of your own",
    run,
    _access,
    add_arguments,
    in_window=True,
    epilog=(
        "What is switched on takes effect with the next focal index. Example: focal descriptors --add-network net.onnx "
        "--name net --size 224x224 --mean 123.7,116.3,103.5 --scale 0.01712,0.01751,0.01743"
    ),
)
