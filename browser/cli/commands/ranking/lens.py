# SPDX-License-Identifier: MIT
"""``focal lens``: export a metric for other people or other programs, or import one."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Final

from focal_photos.browser.cli.arguments import Parser, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.exchange.lenses import open_lens, share_lens, try_lens
from focal_photos.browser.operations.exchange.lenses.portable import export_metric
from focal_photos.browser.operations.ranking import metric_differences, ranker

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library

_FORMATS: Final = ("lens", "python", "onnx")


def add_arguments(parser: Parser) -> None:
    """Add the action, its names and the formats."""
    parser.add_argument(
        "do",
        choices=("export", "open", "try", "compare"),
        help="export NAME FILE, export NAME --to FOLDER, try FILE on your own photos, open FILE, or compare NAME NAME",
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="a metric to export, and the file")
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        help="lens: for other users of Focal; python: a script that needs only NumPy; onnx: an ONNX file; "
        "default: lens, or python with --to",
    )
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="a new folder for python or onnx, with a model card")
    parser.add_argument("--licence", default="", metavar="TEXT", help="licence of the metric, for the model card")
    parser.add_argument("--limit", type=positive, metavar="N", help="with compare: list N photos (default: 20)")
    parser.add_argument("--seed", type=int, metavar="N", help="with compare: seed of the sample of photos (default: 0)")
    parser.add_argument("--force", action="store_true", help="write over a FILE of another kind too")


def _access(arguments: argparse.Namespace) -> Access:
    return Access.WRITE if arguments.do in ("open", "try") else Access.READ


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal lens export NAME FILE``, ``focal lens export NAME --to FOLDER`` or ``focal lens open FILE``."""
    if arguments.do == "compare":
        return _compare(library, arguments, terminal)
    if arguments.limit is not None or arguments.seed is not None:
        raise WrongUseError("--limit and --seed belong to a comparison: focal lens compare NAME NAME")
    if arguments.do == "export":
        form = arguments.format or ("lens" if arguments.to is None else "python")
        return (_export_lens if form == "lens" else _export_metric)(library, form, arguments, terminal)
    if len(arguments.names) != 1 or arguments.to is not None or arguments.format is not None or arguments.licence:
        raise WrongUseError(f"name one file, and no format: focal lens {arguments.do} FILE")
    if arguments.do == "try":
        return _try(library, Path(arguments.names[0]), terminal)

    metric = terminal.run(open_lens.open_lens(library, Path(arguments.names[0])))
    document = {"metric": metric.name, "title": metric.title, "current": library.metrics.current().name}
    terminal.result(document, f"{metric.title} is the metric in use now: {metric.name}")
    return 0


def _compare(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    if len(arguments.names) != 2:
        raise WrongUseError("name two metrics: focal lens compare NAME NAME")
    limit = 20 if arguments.limit is None else arguments.limit
    job = metric_differences.compare_metrics(
        library, ranker.Ranker(library), *arguments.names, limit=limit, seed=arguments.seed or 0
    )
    found = terminal.run(job)
    ids = [one.photo_id for one in found.photos]
    shown = list(dict.fromkeys([*ids, *(each for one in found.photos for each in (*one.only_one, *one.only_other))]))
    paths = dict(zip(shown, map(str, library.photos.paths(shown)), strict=True))
    document = {
        "metrics": [found.one, found.other],
        "compared": found.compared,
        "differing": found.share,
        "families": [{"family": one.name, "shares": [one.one, one.other]} for one in found.families],
        "photos": [
            {
                "path": paths[one.photo_id],
                "differing": one.share,
                "only_first": [paths[each] for each in one.only_one],
                "only_second": [paths[each] for each in one.only_other],
            }
            for one in found.photos
        ],
    }
    lines = [
        f"{100 * found.share:.0f} % of the {metric_differences.NEIGHBORS} nearest photos differ, "
        f"for {found.compared} photos"
    ]
    lines += [
        f"{one.name}: {100 * one.one:.0f} % of the distance under {found.one}, "
        f"{100 * one.other:.0f} % under {found.other}"
        for one in found.families
    ]
    lines += [f"{path_text(Path(paths[one.photo_id]))}: {100 * one.share:.0f} % differ" for one in found.photos]
    terminal.result(document, lines)
    return 0


def _try(library: Library, path: Path, terminal: Terminal) -> int:
    trial = terminal.run(try_lens.try_lens(library, path))
    found = trial.found
    document: dict[str, object] = {
        "title": trial.title,
        "against": trial.against,
        "tagged": trial.tagged,
        "judgements": trial.judgements,
        "photos": 0 if found is None else found.photos,
        "verdict": None if found is None else ("unknown", "better", "worse")[found.decided],
        "fair": trial.is_fair,
    }
    for name in ("score", "other", "gain", "error", "low", "high"):
        value = math.nan if found is None else float(getattr(found, name))
        document[name] = round(value, 5) if math.isfinite(value) else None
    terminal.result(document, str(try_lens.sentence(trial)))
    return 0


def _export_lens(library: Library, form: str, arguments: argparse.Namespace, terminal: Terminal) -> int:
    del form
    if len(arguments.names) != 2 or arguments.to is not None or arguments.licence:
        raise WrongUseError("name a metric and a file: focal lens export NAME FILE")

    name, file = arguments.names
    path = Path(file).absolute()
    size = share_lens.share_lens(library, library.metrics.by_name(name), path, force=arguments.force)
    terminal.result({"file": str(path), "bytes": size}, f"{name} in {path_text(path)} ({size} bytes)")
    return 0


def _export_metric(library: Library, form: str, arguments: argparse.Namespace, terminal: Terminal) -> int:
    if len(arguments.names) != 1 or arguments.to is None or arguments.force:
        raise WrongUseError(f"name a metric and a new folder: focal lens export NAME --to FOLDER --format {form}")

    folder, metric = arguments.to.absolute(), library.metrics.by_name(arguments.names[0])
    job = export_metric.export_metric(library, metric, folder, export_metric.Portable(form), arguments.licence)
    files = [file.name for file in terminal.run(job)]
    rows = f"focal export --format npz --vectors descriptors:{metric.name} --output rows.npz"
    document = {"folder": str(folder), "files": files, "rows": rows}
    text = [f"{metric.name} in {path_text(folder)}: {', '.join(files)}", f"its rows: {rows}"]
    terminal.result(document, text)
    return 0


COMMAND = Command(
    "share a metric with people or programs, or take in that of somebody else",
    run,
    _access,
    add_arguments,
    in_window=lambda arguments: arguments.do == "open",
)
