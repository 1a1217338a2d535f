# SPDX-License-Identifier: MIT
"""``focal evaluate``: measure how well learners would rank this library."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import focal_photos.learners
from focal_photos.browser.cli.arguments import Parser, add_parameters, natural, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands.cluster import add_cluster, scheduler_of
from focal_photos.browser.cli.commands.ranking import caltech101, curves
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.exchange import overwriting
from focal_photos.browser.operations.training import evaluate
from focal_photos.browser.operations.training import parameters as parameter_values

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


_ALL_PROTOCOLS: Final = "all"


def add_arguments(parser: Parser) -> None:
    """Add the learners, the evaluation options, and the alternative protocol."""
    parser.add_argument(
        "--learner",
        dest="learners",
        action="append",
        default=[],
        metavar="NAME",
        help="may be given several times, or all (default: those that suit what there is)",
    )
    add_parameters(parser, "of the one learner that is named")
    parser.add_argument("--folds", type=positive, default=3, metavar="N", help="at least 2 (default: 3)")
    parser.add_argument("--k", type=positive, default=10, metavar="N", help="of precision@k and NDCG@k (default: 10)")
    parser.add_argument(
        "--gallery",
        choices=("held-out", "tagged"),
        default="held-out",
        help="photos to rank: held-out ones, or all tagged ones, most of them training photos (default: held-out)",
    )
    parser.add_argument(
        "--no-rerank",
        action="store_true",
        help="rank by the metrics' own distances alone (default: as focal settings says)",
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of folds and samples (default: 0)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the curves into a .png, .svg or .pdf")
    add_cluster(parser, "examines the learners")
    protocol = parser.add_argument_group("recognition, instead")
    protocol.add_argument(
        "--protocol", choices=("caltech101",), help="learn some photos of each class, and recognise the others"
    )
    protocol.add_argument("--classes", choices=("tags", "folders"), help="what makes a photo's class (default: tags)")
    protocol.add_argument("--training", type=positive, metavar="N", help="photos of each class (default: 15)")
    protocol.add_argument("--testing", type=positive, metavar="N", help="most of each class (default: all others)")
    protocol.add_argument("--splits", type=positive, metavar="N", help="random draws (default: 2)")
    protocol.add_argument(
        "--by",
        choices=("local", "suggestions", "both"),
        help="local distances, as tags are suggested, or both together (default: local)",
    )


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal evaluate [--learner NAME ...|all] [--folds N] [--k N] [--gallery ...] [--plot FILE]``."""
    caltech101.check_arguments(arguments)
    scheduler = scheduler_of(arguments)
    if arguments.protocol is not None:
        if scheduler is not None:
            raise WrongUseError("--protocol is done here: leave --backend dask out")
        return caltech101.run_protocol(library, arguments, terminal)
    names: Sequence[str] = arguments.learners
    if _ALL_PROTOCOLS in names:
        names = list(focal_photos.learners.LEARNERS)
    parameters = parameter_values.read(arguments.parameters)
    if parameters and (len(arguments.learners) != 1 or _ALL_PROTOCOLS in arguments.learners):
        raise WrongUseError("--parameter is of one learner: name it, and no other, with --learner")
    if arguments.plot is not None:
        curves.require_plotting(arguments.plot)
        overwriting.require_replaceable(library, arguments.plot, (), force=True)
    found = terminal.run(
        evaluate.evaluate(
            library,
            names,
            folds=arguments.folds,
            k=arguments.k,
            gallery=arguments.gallery,
            seed=arguments.seed,
            rerank=False if arguments.no_rerank else None,
            parameters={arguments.learners[0]: parameters} if parameters else None,
            scheduler=scheduler,
        )
    )
    drawn = arguments.plot is not None and found.queries > 0
    if drawn:
        curves.draw_curves(found, arguments.plot)
    document = _document(found)
    if drawn:
        document["plot"] = str(arguments.plot.absolute())
    terminal.result(
        document, [*_text(found), *([f"Curves in {path_text(arguments.plot.absolute())}"] if drawn else [])]
    )
    if arguments.plot is not None and not drawn:
        terminal.say("focal: there is no curve to draw: curves are of tagged photos, and too few have tags")
        return 1
    return 0


def _document(found: evaluate.Evaluation) -> dict[str, Any]:
    return {
        "k": found.k,
        "folds": found.folds,
        "gallery": found.gallery,
        "photos": found.photos,
        "tagged": found.tagged,
        "judgements": found.judgements,
        "queries": found.queries,
        "chance": _rounded(found.chance),
        "majority": _rounded(found.majority),
        "by_focal": found.by_focal,
        "reranked": found.reranked,
        "learners": [_score(score) for score in found.scores],
    }


def _score(score: evaluate.Score) -> dict[str, Any]:
    known: dict[str, Any] = {
        "learner": score.learner,
        "title": score.title,
        "parameters": dict(score.parameters),
        "reason": score.reason or None,
    }
    if score.reason:
        return known
    for name in ("precision", "average_precision", "ndcg", "auc"):
        spread = getattr(score, name)
        known[name] = None if spread is None else {"mean": _rounded(spread.mean), "sd": _rounded(spread.sd)}
    known["order"] = _rounded(score.order)
    for name in ("gain", "order_gain"):
        gain = getattr(score, name)
        known[name] = None if gain is None else {"gain": _rounded(gain.gain), "error": _rounded(gain.error)}
    known["judged"] = None
    if score.interval is not None:
        low, high = score.interval
        share = score.right / score.judged
        known["judged"] = {
            "right": score.right,
            "of": score.judged,
            "share": _rounded(share),
            "low": _rounded(low),
            "high": _rounded(high),
        }
    for name in ("curve", "curve_sd", "recall", "recall_sd"):
        known[name] = [_rounded(float(value)) for value in getattr(score, name)]
    known["seconds"] = round(score.seconds, 3)
    return known


def _text(found: evaluate.Evaluation) -> list[str]:
    """Return the table: one line per learner, failed ones last."""
    lines = [
        f"{found.photos} photos, {found.tagged} tagged, {found.judgements} judgements; {found.folds} folds, "
        f"{found.queries} photos held out and ranked among "
        + ("those held out with them" if found.gallery == "held-out" else "all tagged ones")
    ]
    columns = [("learner", 20)]
    if found.queries:
        columns += [(f"P@{found.k}", 11), ("gain", 13), ("mAP", 11), (f"NDCG@{found.k}", 11), ("AUC", 11)]
    if found.judgements:
        columns += [("judged in order", 17), ("judged right (95 %)", 21)]
    lines.append("  ".join(title.ljust(width) for title, width in columns).rstrip())
    for score in sorted(found.scores, key=lambda score: bool(score.reason)):
        cells = [score.learner]
        if score.reason:
            lines.append(f"{score.learner.ljust(20)}  {score.reason}")
            continue
        if found.queries:
            cells.append(_spread(score.precision))
            cells.append(_gain(score.gain))
            cells += [_spread(spread) for spread in (score.average_precision, score.ndcg, score.auc)]
        if found.judgements:
            order = "" if score.order is None else f"{score.order:.3f}"
            cells.append(f"{order} {_gain(score.order_gain)}")
            low, high = score.interval or (0.0, 1.0)
            cells.append(f"{score.right}/{score.judged} ({low:.2f}-{high:.2f})" if score.judged else "")
        lines.append("  ".join(cell.ljust(width) for cell, (_, width) in zip(cells, columns, strict=True)).rstrip())
    if found.chance is not None:
        lines.append(f"Without any order P@{found.k} would be {found.chance:.3f}.")
    if found.majority is not None:
        lines.append(f"Of the judgements {found.majority:.2f} are of one kind: that share is right without looking.")
    if found.queries:
        lines.append(
            "gain: in P@k over Euclidean on the same photos, with its standard error; * where it is twice that"
        )
    return lines


def _spread(spread: tuple[float, float] | None) -> str:
    return "" if spread is None else f"{spread[0]:.3f} \N{PLUS-MINUS SIGN}{spread[1]:.3f}"


def _gain(gain: tuple[float, float] | None) -> str:
    if gain is None:
        return ""
    sure = "*" if abs(gain[0]) > 2 * gain[1] else ""
    return f"{gain[0]:+.3f}\N{PLUS-MINUS SIGN}{gain[1]:.3f}{sure}"


def _rounded(value: float | None) -> float | None:
    return None if value is None or value != value or value in (float("inf"), float("-inf")) else round(value, 5)


COMMAND = Command(
    "measure how well learners would rank this library, by cross-validation on its tags and judgements",
    run,
    lambda arguments: Access.WRITE if arguments.protocol else Access.READ,  # the protocol describes missing patches
    add_arguments,
    epilog=(
        "Each learner is trained on all folds but one and tested on that one. Nothing is changed. Of more than 5,000 "
        "photos all that were judged and a sample of the others take part."
    ),
)
