"""The command line's grammar. Imports nothing heavy: ``focal --help`` answers at once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

COMMANDS: Final = (
    "index",
    "rank",
    "tag",
    "judge",
    "train",
    "evaluate",
    "suggest",
    "recognise",
    "accept",
    "reject",
    "metrics",
    "descriptors",
    "settings",
    "list",
    "tags",
    "undo",
    "redo",
    "export",
    "check",
    "demo",
)

_DESCRIPTION = "A photo browser that learns what you call similar. Without a command it opens the window."
_EPILOG = (
    "Results go to standard output, progress and errors to standard error. Exit codes: 0 done, 1 failed, 2 wrong use."
)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that says what to do."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the parsed arguments; `command` is None where the window is wanted.

    Raises
    ------
    SystemExit
        With code 2 after an error, with 0 after ``--help`` and ``--version``.
    """
    arguments = list(argv)
    position = _first_word(arguments)
    word = arguments[position] if position < len(arguments) else ""
    if word in COMMANDS:
        if word in ("tag", "accept", "reject"):
            arguments[position + 1 :] = _signed_tags(arguments[position + 1 :])
        if word == "list":
            arguments[position + 1 :] = _query_words(arguments[position + 1 :])
        return _parser().parse_args(arguments)
    return _window_parser().parse_args(arguments)


def _first_word(arguments: Sequence[str]) -> int:
    """Return where the first argument stands that is neither an option nor the value of one, or the length."""
    skip = False
    for i, argument in enumerate(arguments):
        if skip:
            skip = False
        elif argument == "--library":
            skip = True
        elif not argument.startswith("-"):
            return i
    return len(arguments)


_WITH_VALUE: Final = frozenset({"--library", "--from-csv", "--root", "--add", "--remove", "--tag"})


def _signed_tags(arguments: Sequence[str]) -> list[str]:
    """Turn ``+beach`` and ``-sea`` into options, which argparse would take for a file and for five flags."""
    turned: list[str] = []
    value = rest = False
    for argument in arguments:
        if value:
            # As one word, because argparse takes a value of its own that begins with a minus for an option.
            turned[-1] += f"={argument}"
            value = False
        elif rest or len(argument) < 2 or argument[0] not in "+-" or argument == "-h":
            turned.append(argument)
        elif argument == "--":
            rest = True
            turned.append(argument)
        elif argument.startswith("--"):
            value = argument in _WITH_VALUE
            turned.append(argument)
        else:
            turned.append(f"--{'add' if argument[0] == '+' else 'remove'}={argument[1:]}")
    return turned


def _query_words(arguments: Sequence[str]) -> list[str]:
    """Turn the words of a query into options, so that ``-tag:boat`` is one of them."""
    turned: list[str] = []
    value = False
    for argument in arguments:
        option = argument == "-h" or argument.startswith("--")
        turned.append(argument if value or option else f"--word={argument}")
        value = argument in _WITH_VALUE
    return turned


def _common() -> _Parser:
    common = _Parser(add_help=False)
    common.add_argument(
        "--library",
        type=Path,
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="the library's folder (default: in the user's data folder)",
    )
    common.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="one JSON document or JSON Lines on standard output, nothing else there",
    )
    return common


def _window_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="focal",
        description=_DESCRIPTION,
        epilog=f"Commands: {', '.join(COMMANDS)}. See focal COMMAND --help. {_EPILOG}",
        parents=[_common()],
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="photo folders to open in the window")
    parser.set_defaults(command=None, library=None, json=False)
    return parser


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="focal", description=_DESCRIPTION, epilog=_EPILOG, parents=[_common()])
    parser.set_defaults(library=None, json=False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)

    def command(name: str, text: str, epilog: str | None = None) -> _Parser:
        return commands.add_parser(name, help=text, description=text, epilog=epilog, parents=[_common()])

    one = command("index", "take the photos of folders into the library; unchanged ones are not read again")
    one.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="default: all folders of the library")
    one.add_argument("--workers", type=_positive, metavar="N", help="processes (default: one a core)")
    one.add_argument("--retry", action="store_true", help="try photos again that could not be decoded before")
    one.add_argument(
        "--descriptors",
        metavar="NAMES",
        help="switch exactly these on, to stay: names separated by commas, standard, or all (see focal descriptors)",
    )
    one.add_argument(
        "--backend",
        default="processes",
        metavar="NAME",
        help="who describes photos: processes (the default), threads, dask, or another back end of joblib",
    )
    one.add_argument(
        "--scheduler", metavar="ADDRESS", help="of the Dask cluster for --backend dask, as tcp://host:8786"
    )

    one = command("rank", "list the photos most similar to an image, which need not be in the library")
    one.add_argument("image", type=Path, metavar="IMAGE")
    one.add_argument("--metric", metavar="NAME", help="a metric or a learner (default: the current metric)")
    one.add_argument("--limit", type=_positive, metavar="N", help="only the N nearest")
    one.add_argument("--query", default="", metavar="QUERY", help="rank only photos that match (see focal list)")

    one = command(
        "tag",
        "add tags to photos and take tags away",
        "Example: focal tag a.jpg b.jpg +beach -sea '+animal/dog'. An odd name is written --add NAME or --remove NAME.",
    )
    one.add_argument("images", nargs="*", type=Path, metavar="IMAGE")
    one.add_argument("--add", action="append", default=[], metavar="TAG", help="the same as +TAG")
    one.add_argument("--remove", action="append", default=[], metavar="TAG", help="the same as -TAG")
    one.add_argument(
        "--from-csv", type=Path, metavar="FILE", help="import a table with the columns file and tags (tags apart by ;)"
    )
    one.add_argument("--root", type=Path, metavar="DIR", help="folder of the files in the table (default: its own)")

    one = command("judge", "say that photos are similar to a focal image, or not")
    one.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help="the focal image, then the judged ones")
    verdict = one.add_mutually_exclusive_group()
    verdict.add_argument("--similar", dest="verdict", action="store_const", const="similar")
    verdict.add_argument("--dissimilar", dest="verdict", action="store_const", const="dissimilar")
    verdict.add_argument("--clear", dest="verdict", action="store_const", const="clear", help="take judgements back")
    one.add_argument("--from-csv", type=Path, metavar="FILE", help="import a table: focal,other,verdict")
    one.add_argument("--root", type=Path, metavar="DIR", help="folder of the files in the table (default: its own)")

    one = command(
        "train",
        "learn a metric from the judgements and tags; it becomes the current one",
        "Example: focal train --learner rca --parameter ridge=0.3. focal metrics --learners lists what can be trained.",
    )
    one.add_argument(
        "--learner", default="kernel", metavar="NAME", help="default: kernel; automatic: whichever ranks best"
    )
    one.add_argument(
        "--parameter",
        dest="parameters",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the learner; may be given several times",
    )
    one.add_argument("--without-tags", action="store_true", help="learn from judgements alone")
    one.add_argument("--without-judgements", action="store_true", help="learn from tags alone")

    one = command(
        "evaluate",
        "measure how well learners would rank this library, by cross-validation on its tags and judgements",
        "Each learner learns from all folds but one and is asked for that one. Nothing is changed. Of more than 5,000 "
        "photos all that were judged and a sample of the others take part.",
    )
    one.add_argument(
        "--learner",
        dest="learners",
        action="append",
        default=[],
        metavar="NAME",
        help="may be given several times, or all (default: those that suit what there is)",
    )
    one.add_argument(
        "--parameter",
        dest="parameters",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the one learner that is named; may be given several times",
    )
    one.add_argument("--folds", type=_positive, default=3, metavar="N", help="at least 2 (default: 3)")
    one.add_argument("--k", type=_positive, default=10, metavar="N", help="of precision@k and NDCG@k (default: 10)")
    one.add_argument(
        "--gallery",
        choices=("held-out", "tagged"),
        default="held-out",
        help="what is ranked: photos held out, or all tagged ones, of which most were taught (default: held-out)",
    )
    one.add_argument("--seed", type=_natural, default=0, metavar="N", help="of folds and samples (default: 0)")
    one.add_argument("--plot", type=Path, metavar="FILE", help="draw the curves into a .png, .svg or .pdf")
    group = one.add_argument_group("recognition by local distances, instead")
    group.add_argument(
        "--protocol", choices=("caltech101",), help="learn some photos of each class, and recognise the others"
    )
    group.add_argument("--classes", choices=("tags", "folders"), help="what makes a photo's class (default: tags)")
    group.add_argument("--training", type=_positive, metavar="N", help="photos of each class (default: 15)")
    group.add_argument("--testing", type=_positive, metavar="N", help="most of each class (default: all others)")
    group.add_argument("--splits", type=_positive, metavar="N", help="random draws (default: 2)")

    one = command("suggest", "suggest tags from the most similar tagged photos")
    one.add_argument("images", nargs="*", type=Path, metavar="IMAGE")
    one.add_argument("--untagged", action="store_true", help="for all photos without tags (the default)")
    one.add_argument("--per-photo", type=_positive, default=5, metavar="N", help="at most N tags each (default: 5)")
    one.add_argument("--metric", metavar="NAME", help="a metric or a learner (default: the current metric)")

    one = command("recognise", "say what is in images, by the local distances of tagged photos")
    one.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="need not be in the library")
    one.add_argument("--limit", type=_positive, default=5, metavar="N", help="at most N tags each (default: 5)")
    one.add_argument("--metric", default="local", metavar="NAME", help="a metric of local distances (default: local)")

    for name, text in (("accept", "turn suggested tags into tags"), ("reject", "reject suggested tags for ever")):
        one = command(name, text, f"Example: focal {name} a.jpg +beach. Without tags: all that are suggested.")
        one.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
        one.add_argument("--add", dest="tags", action="append", default=[], metavar="TAG", help="the same as +TAG")

    one = command("metrics", "list the metrics, or choose one")
    one.add_argument("--use", metavar="NAME", help="make this metric the current one")
    one.add_argument("--learners", action="store_true", help="list what can be trained instead, with its parameters")

    one = command(
        "descriptors",
        "list the descriptors of photos, switch some on or off, or add a network of your own",
        "What is switched on takes effect with the next focal index. Example: focal descriptors --add-network net.onnx "
        "--name net --size 224x224 --mean 123.7,116.3,103.5 --scale 0.01712,0.01751,0.01743",
    )
    one.add_argument("--on", type=_names, default=[], metavar="NAMES", help="switch on; names separated by commas")
    one.add_argument("--off", type=_names, default=[], metavar="NAMES", help="switch off; names separated by commas")
    one.add_argument("--standard", action="store_true", help="switch on what a new library has, and nothing else")
    one.add_argument("--add-network", type=Path, metavar="FILE", help="an ONNX file that takes an image")
    one.add_argument("--remove-network", metavar="NAME", help="take a network out again; its file stays")
    network = one.add_argument_group("the network")
    network.add_argument("--name", metavar="NAME", help="small letters, digits, underscores")
    network.add_argument("--size", type=_size, metavar="WxH", help="of its input, where the file does not say it")
    network.add_argument("--mean", type=_numbers, metavar="R,G,B", help="taken from levels of 0 to 255 (default: 0)")
    network.add_argument("--scale", type=_numbers, metavar="S or R,G,B", help="multiplied with then (default: 1/255)")
    network.add_argument("--channels", choices=("RGB", "BGR"), help="order of the channels (default: RGB)")
    network.add_argument("--layout", choices=("NCHW", "NHWC"), help="order of the axes (default: NCHW)")
    network.add_argument("--framing", choices=("crop", "squeeze"), help="how a photo is made to fit (default: crop)")
    network.add_argument("--output", metavar="NAME", help="output or inner value to take (default: last output)")

    one = command("settings", "show or change the settings of the library")
    one.add_argument("name", nargs="?", metavar="NAME", help="default: all")
    one.add_argument("value", nargs="?", metavar="VALUE", help="the new value")
    one.add_argument("--default", action="store_true", help="return to the default")

    one = command("list", "list photos that match a query")
    one.usage = "focal list [-h] [--library DIR] [--json] [QUERY ...]"
    one.epilog = "A query: words of the path, tag:sea -tag:boat untagged path:2024 date:2024-05 suggested:sky failed"
    one.add_argument("--word", dest="words", action="append", default=[], help=argparse.SUPPRESS)

    one = command("tags", "list the tags, or those that go with one")
    one.add_argument("--related", metavar="TAG", help="the tags that go with TAG, nearest first")
    one.add_argument("--limit", type=_positive, default=10, metavar="N", help="at most N related tags (default: 10)")

    command("undo", "take the last change back")
    command("redo", "do again what was taken back")

    one = command("export", "write tags or judgements as a table")
    one.add_argument("--format", choices=("csv", "jsonl"), help="default: csv; jsonl with --json")
    one.add_argument("--what", choices=("photos", "judgements"), default="photos", help="default: photos")
    one.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")
    one.add_argument("--query", default="", metavar="QUERY", help="only photos that match (see focal list)")

    command("check", "look for damage in the library and rebuild what can be worked out again")

    one = command("demo", "draw an album of pictures, index it and tag most of it")
    one.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="default: in the user's data folder")
    one.add_argument("--count", type=_positive, default=304, metavar="N", help="pictures to draw (default: 304)")
    one.add_argument("--open", action="store_true", help="then open it in the window")
    return parser


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


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


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number
