# SPDX-License-Identifier: MIT
"""``focal index``: add photos to the library."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.cli.arguments import Parser, names, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands.cluster import add_scheduler, scheduler_of
from focal_photos.browser.cli.terminal import MOST_TOLD, Terminal, WrongUseError, path_text, paths_with_reasons
from focal_photos.browser.operations.describing import enabled, orientation, settings
from focal_photos.browser.operations.library import index
from focal_photos.browser.operations.metadata.imports import take_over
from focal_photos.browser.operations.photos import unsupported_files
from focal_photos.browser.operations.ranking import ranker
from focal_photos.features.decoding.decoders import dicom_signature

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add folders, and options for reading them."""
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="default: all folders of the library")
    parser.add_argument("--workers", type=positive, metavar="N", help="processes (default: one a core)")
    parser.add_argument("--retry", action="store_true", help="try photos again that could not be decoded before")
    parser.add_argument(
        "--import-tags",
        action="store_true",
        help="import the tags that photos and sidecars in these folders hold, now and whenever they change; "
        "without it they are only counted",
    )
    parser.add_argument(
        "--descriptors",
        metavar="NAMES",
        help="switch exactly these on, to stay: names separated by commas, standard, or all (see focal descriptors)",
    )
    parser.add_argument(
        "--any-rotation",
        choices=("on", "off"),
        help="on: photos have no up, as aerial photos and microscopy; a change, to stay, describes all photos again",
    )
    parser.add_argument(
        "--backend",
        default="processes",
        metavar="NAME",
        help="who describes photos: processes (the default), threads, dask, or another back end of joblib",
    )
    add_scheduler(parser)


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal index DIR...``."""
    if not arguments.folders and not library.roots.all():
        raise WrongUseError("the library has no photo folder yet: name a folder")
    scheduler = scheduler_of(arguments)
    if arguments.descriptors is not None:
        enabled.set_enabled(library, _wanted(library, arguments.descriptors))
    if arguments.any_rotation is not None:
        settings.ANY_ROTATION.set(library, True if arguments.any_rotation == "on" else None)
    folders = [folder.absolute() for folder in arguments.folders]
    job = index.index(
        library,
        folders,
        workers=arguments.workers,
        retry=arguments.retry,
        backend=arguments.backend,
        scheduler=scheduler,
        import_tags=arguments.import_tags,
    )
    report = terminal.run(job)
    if report.files > len(report.failed):
        terminal.run(ranker.Ranker(library).find_index())
    if report.learn.learned:
        terminal.say(f"Learned from {report.learn.photos} photos: {', '.join(report.learn.learned)}")
    for failure in report.plugins:
        terminal.say(f"{failure} (see focal plugins)")
    _say_stages(report, terminal)
    _say_metadata(report, terminal)
    if report.scan.misnamed:
        terminal.say(
            f"Recognised by their content, though their names do not end as those of photos: "
            f"{len(report.scan.misnamed)} files, the first is {path_text(report.scan.misnamed[0])}"
        )
    if report.scan.without_pydicom:
        skipped = f"{report.scan.without_pydicom} DICOM files were skipped because they need pydicom"
        terminal.say(f"{skipped}: run {dicom_signature.INSTALL} in Focal's checkout")
    if report.scan.passed_over:
        terminal.say(unsupported_files.in_words(report.scan.passed_over))
    if len(report.newly_described) and orientation.have_no_up(library):
        terminal.say("These photos seem to have no up: focal index --any-rotation on describes them in any rotation")
    if report.rotated:
        count = len(report.rotated.photo_ids)
        terminal.say(f"Turned by another program, and shown as the files are now: {count}; focal undo turns them again")
    of_files = f" in {report.files} files" if report.files != report.photos else ""
    counts = f"{report.photos} photos{of_files}, {report.new} new, {len(report.failed)} failed, {report.seconds:.1f} s"
    terminal.result(report_document(report), [*paths_with_reasons(report.failed), counts])
    return 0


def _in_window(arguments: argparse.Namespace) -> bool:
    """Return whether a window can index for this process: with its own workers, without a change of settings."""
    own = (arguments.descriptors, arguments.any_rotation, arguments.workers, arguments.scheduler)
    return arguments.backend == "processes" and all(given is None for given in own)


def _wanted(library: Library, text: str) -> list[str] | None:
    """Return the names given by ``--descriptors``; None for the standard ones."""
    if text == "standard":
        return None
    if text == "all":
        return list(enabled.all_descriptors(library))
    wanted = names(text)
    if not wanted:
        raise WrongUseError("--descriptors takes names separated by commas, standard, or all")
    return wanted


def report_document(report: index.IndexReport) -> dict[str, Any]:
    """Return the JSON document of ``focal index``."""
    return {
        "photos": report.photos,
        "files": report.files,
        "new": report.new,
        "failed": [{"path": str(path), "reason": reason} for path, reason in report.failed],
        "misnamed": [str(path) for path in report.scan.misnamed],
        "without_pydicom": report.scan.without_pydicom,
        "passed_over": dict(sorted(report.scan.passed_over.items())),
        "seconds": round(report.seconds, 3),
        "taken_over": _metadata_document(report),
    }


def _metadata_document(report: index.IndexReport) -> dict[str, Any]:
    found = report.metadata
    return {
        "photos": found.photos,
        "tags": found.tags,
        "kinds": found.kinds,
        "ratings": found.ratings,
        "labels": found.labels,
        "found_tags": found.found_tags,
        "found_photos": found.found_photos,
        "left_out": [{"path": str(path), "reason": reason} for path, reason in found.left_out],
        "problems": [{"path": str(path), "reason": reason} for path, reason in found.problems],
    }


def _say_metadata(report: index.IndexReport, terminal: Terminal) -> None:
    """Report the imported metadata, and the first failures."""
    found = report.metadata
    if found.in_words():
        terminal.say(f"Taken over: {found.in_words()}")
    if found.found_tags:
        terminal.say(
            f"Found {take_over.with_noun(found.found_tags, 'tag')} in "
            f"{take_over.with_noun(found.found_photos, 'photo')}: focal index --import-tags imports them"
        )
    for title, lines in (("Not taken over", found.left_out), ("Metadata that cannot be read", found.problems)):
        for path, reason in lines[:MOST_TOLD]:
            terminal.say(f"{title}: {path_text(path)}: {reason}")
        if len(lines) > MOST_TOLD:
            terminal.say(f"{title}: {len(lines) - MOST_TOLD:,} more (--json lists them all)")


def _say_stages(report: index.IndexReport, terminal: Terminal) -> None:
    if report.stages:
        stages = ", ".join(f"{stage.replace('_', ' ')} {ms:.1f}" for stage, ms in report.stages.items())
        terminal.say(f"Milliseconds a photo: {stages}")


COMMAND = Command(
    "take the photos of folders into the library; unchanged ones are not read again",
    run,
    Access.CREATE,
    add_arguments,
    in_window=_in_window,
)
