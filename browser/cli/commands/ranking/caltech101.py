# SPDX-License-Identifier: MIT
"""``focal evaluate --protocol caltech101``: recognition in random splits."""

from __future__ import annotations

import argparse

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.recognition.protocol_caltech101 import PAPER, Recognised, protocol_caltech101

_OWN = ("classes", "training", "testing", "splits", "by")
_WORST_SHOWN = 5


def check_arguments(arguments: argparse.Namespace) -> None:
    """Reject the protocol's options without the protocol, options of learners with it, and local distances without it.

    Raises
    ------
    WrongUseError
    """
    if arguments.protocol is None:
        for name in _OWN:
            if getattr(arguments, name) is not None:
                raise WrongUseError(f"--{name} belongs to --protocol caltech101")
        if LOCAL in arguments.learners:
            raise WrongUseError("local distances are no metric of all photos: measure them with --protocol caltech101")
    elif arguments.learners or arguments.parameters or arguments.plot is not None:
        raise WrongUseError("--learner, --parameter and --plot do not go with --protocol: it recognises")


def run_protocol(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal evaluate --protocol caltech101 [--classes tags|folders] [--training N] ...``."""
    given = {name: value for name in _OWN if (value := getattr(arguments, name)) is not None}
    found = terminal.run(protocol_caltech101(library, seed=arguments.seed, **given))
    shares = found.recognition.tolist()
    document = {
        "protocol": arguments.protocol,
        "by": arguments.by or "local",
        "classes": list(found.classes),
        "training": found.training,
        "tested": found.tested.sum(axis=1).tolist(),
        "left_out": found.left_out,
        "recognition": {
            "mean": round(float(np.mean(shares)), 5),
            "sd": round(_sd(shares), 5),
            "splits": [round(share, 5) for share in shares],
        },
        "by_class": [round(float(share), 5) for share in found.by_class.mean(axis=0)],
        "confusion": found.confusion.sum(axis=0).tolist(),
    }
    terminal.result(document, summary(found))
    return 0


def summary(found: Recognised) -> list[str]:
    """Return the mean recognition rate and the classes with the lowest rates, as text lines."""
    shares = found.recognition.tolist()
    spread = f" \N{PLUS-MINUS SIGN} {100 * _sd(shares):.1f}" if len(shares) > 1 else ""
    every = found.confusion.sum(axis=0)
    lines = [
        f"{len(found.classes)} classes, {found.training} photos of each learned, {int(every.sum())} recognised "
        f"in {len(shares)} split{'s'[: len(shares) > 1]}; {found.left_out} photos left out",
        f"mean recognition over classes: {100 * float(np.mean(shares)):.1f}{spread} % "
        f"(without looking {100 / len(found.classes):.1f} %; the source: {PAPER} % of 101 classes, 15 photos of each)",
    ]
    by_class = found.by_class.mean(axis=0)
    for i in np.argsort(by_class, kind="stable")[:_WORST_SHOWN].tolist():
        if by_class[i] < 1:
            mistaken = every[i].copy()
            mistaken[i] = 0
            lines.append(
                f"  {found.classes[i]}: {100 * by_class[i]:.0f} %, "
                f"most often taken for {found.classes[int(mistaken.argmax())]}"
            )
    return lines


def _sd(shares: list[float]) -> float:
    return float(np.std(shares, ddof=1)) if len(shares) > 1 else 0.0
