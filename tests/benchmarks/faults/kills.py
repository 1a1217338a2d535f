# SPDX-License-Identifier: MIT
"""Kill commands, windows and single workers with SIGKILL at random moments.

``python -m tests.benchmarks.faults.kills [--commands 600] [--window 400] [--review 60] [--audit 60] [--boxes 60]
[--sidecars 60] [--workers 300] [--seed 0]``. After each kill, the library opens, `check` finds no problems, and all
confirmed changes are present; unconfirmed ones are present completely or not at all. Killing a worker costs no photo,
and no program hangs. The programs are forked from this process, so none has to be started.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PIL import Image

from focal_photos.browser.catalog.facts.records import Region, SavedStep
from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.catalog.store.journal import AGREEMENTS
from focal_photos.browser.cli import main as main_of_focal
from focal_photos.browser.cli.commands import COMMANDS
from focal_photos.browser.models.review.audit import MAX_PHOTOS
from focal_photos.browser.operations.exchange.lenses.lens_file import read_lens
from focal_photos.browser.operations.exchange.provenance.merges import merges_of
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import IndexReport, index
from focal_photos.browser.operations.workers.worker_process import StartError
from focal_photos.features.metadata.xmp import merge_xmp, parse_xmp
from focal_photos.features.metadata.xmp_regions import list_regions, write_regions
from tests.benchmarks.common.user_actions import (
    State,
    choose,
    differences,
    follow,
    ids_of,
    kept_steps,
    new_library,
    pairs_of,
    region_of,
)
from tests.browser import region_album
from tests.browser.operations.album import Album
from tests.browser.operations.workers.processes import workers_of
from tests.features.decoding.decoders.test_dicom import dicom
from tests.features.network.made_networks import write_color_network

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from focal_photos.browser.walkthrough.window_driver import WindowDriver

FAMILIES: Final = "color_moments,color_coherence"
FRAMES: Final = 5
LONGEST: Final = 120.0
"""Time in seconds after which a process counts as hanging."""

_IN_WINDOW: Final = (
    *("tag", "judge", "judge a text", "reject", "turn", "undo", "redo"),
    *("keep trail", "rename trail", "delete trail", "save search"),
    *("judge pairs", "pick", "merge", "keep apart"),
    *("draw box", "move box", "name box", "remove box", "judge regions", "refuse box"),
)


@dataclass
class Outcome:
    """Numbers of kills by kind, kills before the end, and runs in which no worker started; and the problems."""

    kills: Counter[str] = field(default_factory=Counter)
    struck: int = 0
    given_up: int = 0
    problems: list[str] = field(default_factory=list)


# ---------------------------------------------------------------------- children
def _start(function: Callable[[Connection], Any]) -> tuple[int, Connection]:
    """Start a child in its own process group; it calls the function with the pipe, then ends."""
    reader, writer = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if not child:
        code = 70
        try:
            os.setsid()
            silent = os.open(os.devnull, os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(silent, stream)
            function(writer)
            code = 0
        finally:
            os._exit(code)
    writer.close()
    return child, reader


def _kill(child: int) -> None:
    """Kill a child; its own children end shortly afterwards."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _command(words: list[str]) -> Callable[[Connection], None]:
    def run(pipe: Connection) -> None:
        pipe.send(main_of_focal([*words, "--json"]))

    return run


# ---------------------------------------------------------------------- commands
def contents(folder: Path) -> dict[str, Any]:
    """Return the user's data in a library, without dates."""
    with Library.open(folder) as library:
        return contents_of(library)


def contents_of(library: Library) -> dict[str, Any]:
    """Return the user's data in an open library, without dates."""
    rows = library.database.rows
    return {
        "tags": sorted(rows("SELECT photo_id, name, source FROM photo_tag JOIN tag ON tag.id = tag_id")),
        "judgements": sorted(rows("SELECT focal_id, other_id, verdict FROM judgement")),
        "relations": sorted(rows("SELECT focal_id, other_id, than_id, relation FROM judged_relation")),
        "texts": sorted(rows("SELECT text, other_id, verdict FROM text_judgement")),
        "marks": sorted(rows("SELECT photo_id, rating, label FROM mark"), key=repr),
        "rejected": sorted(library.suggestions.rejected_pairs()),
        "metrics": sorted(rows("SELECT name FROM metric")),
        "searches": sorted(rows("SELECT name, query FROM saved_search")),
        "trails": sorted(rows("SELECT name, steps FROM trail")),
        "judged regions": sorted(
            rows("SELECT photo_id, x0, y0, x1, y1, other_id, other_x0, other_y0, other_x1, other_y1, verdict "
                 "FROM region_judgement")
        ),
        "rejected boxes": rows("SELECT id, photo_id, x0, y0, x1, y1, tag_id FROM rejected_box ORDER BY id"),
        "boxes": rows("SELECT id, photo_id, x0, y0, x1, y1, tag_id, brought_tag FROM box ORDER BY id"),
        "regions": sorted(rows("SELECT photo_id, x0, y0, x1, y1 FROM region")),
        "turns": sorted(rows("SELECT photo_id, quarters FROM turned")),
        "audits": [(one.tag, one.photo_id, one.stratum, one.present) for one in library.audits.drawn()],
        "begun": [(one.tag, one.strata, one.state) for one in library.audits.all()],
        # without the name of this library's folder, which differs in a copy
        "agreements": sorted({(one.people[1:], one.merged, one.tags) for one in library.audits.agreements()}, key=repr),
        "not duplicates": library.not_duplicates.all(),
        "confirmed": sorted(library.confirmations.tags()),
        "folders": sorted(str(root.path) for root in library.roots.all()),
        "files": sorted(
            name for (name,) in rows("SELECT file FROM metric WHERE file IS NOT NULL")
            if (library.metrics.folder / name).is_file()
        ),
        "current": library.metrics.current().name,
        "settings": sorted(
            rows("SELECT name, value FROM setting WHERE name NOT IN ('described', 'library.merges', ?)", (AGREEMENTS,))
        ),
        "merges": [(one.library, one.file, one.through) for one in merges_of(library)],
        "undo": library.journal.undo_label(),
        "redo": library.journal.redo_label(),
    }  # fmt: skip


def _sound(folder: Path) -> list[str]:
    try:
        with Library.open(folder) as library:
            report = finish(check(library))
    except LibraryError as error:
        return [f"it does not open: {error}"]
    return [*report.problems, *report.repaired]


@dataclass
class Place:
    """A library of twelve photos on which commands are tried, with the files that they need."""

    folder: Path
    archived: dict[str, Any] = field(default_factory=dict)

    @property
    def library(self) -> Path:
        return self.folder / "library"

    @property
    def folders(self) -> tuple[Path, Path]:
        """Current folder of the photos, and the folder to which they may move."""
        with Library.open(self.library) as library:
            here = library.roots.all()[0].path
        return here, self.folder / ("moved" if here.name == "photos" else "photos")

    @property
    def photos(self) -> list[str]:
        return sorted(map(str, self.folders[0].rglob("*.jpg")))

    def prepare(self) -> None:
        """Draw photos, index and tag some of them, train a metric, and save an archive."""
        album = Album(self.folder / "photos")
        album.draw_kinds()
        shutil.copytree(album.folder, self.folder / "moved")
        values = np.arange(FRAMES * 64 * 64, dtype=np.uint16).reshape(FRAMES, 64, 64)
        (self.folder / "scan.dcm").write_bytes(dicom(values, frames=FRAMES))
        write_color_network(self.folder / "network")
        self._require(["index", str(album.folder), "--descriptors", f"{FAMILIES},fisher_windows"])
        for number in (0, 1, 2):
            box = f"0.{number},0,0.5,0.{5 + number}"
            self._require(["boxes", self.photos[number], "--add", box, "--tag", "mast"])
        self._require(["tag", *self.photos[:3], "+cold"])
        self._keep()
        for words in (
            ["tag", *self.photos[6:9], "+warm"],
            ["judge", self.photos[0], *self.photos[1:3], "--similar"],
            ["judge", self.photos[0], *self.photos[7:9], "--dissimilar"],
            ["suggest", "--untagged"],
            ["train", "--learner", "kernel"],
            ["archive", str(self.folder / "all.focal.zip")],
            ["export", "--format", "jsonl", "--output", str(self.folder / "tags.jsonl")],
            ["export", "--what", "everything", "--output", str(self.folder / "all.jsonl")],
            ["lens", "export", "kernel-1", str(self.folder / "kernel.npz")],
            ["networks", "--add", str(self.folder / "network" / "images.onnx"), "--name", "mine"],
            ["certify", "--begin", "--per-tag", "6", "--questions", str(self.folder / "answers.csv")],
        ):
            self._require(words)
        table = self.folder / "answers.csv"
        head, *lines = table.read_text().splitlines()
        table.write_text("\n".join([head, *(f"{line}yes" for line in lines)]))
        self.archived = contents(self.library)

    def _keep(self) -> None:
        """Store a trail, a region of a photo and a confirmed tag, which no command makes."""
        with Library.open(self.library) as library:
            ids = ids_of(library)
            library.trails.save("way", [SavedStep(focal=ids[0]), SavedStep(like=tuple(ids[1:3]), unlike=(ids[7],))])
            library.regions.set(ids[0], Region(0.25, 0.0, 1.0, 0.5))
            library.confirmations.confirm_tag(ids[0], "cold")

    def _require(self, words: list[str]) -> None:
        code = self.run(words)
        if code:
            raise RuntimeError(f"focal {' '.join(words)} ended with {code}")

    def run(self, words: list[str]) -> int:
        """Run a command to its end and return its exit code."""
        child, pipe = _start(_command([*words, "--library", str(self.library)]))
        try:
            return int(pipe.recv())
        except EOFError:
            return -1
        finally:
            os.waitpid(child, 0)

    def samples(self, chance: random.Random, number: int) -> dict[str, list[str]]:
        """Return the arguments of each tested command by name."""
        here, elsewhere = self.folders
        photo, other, third = chance.sample(self.photos, 3)
        tag = f"+{chance.choice(['warm', 'cold', 'sea', f'tag{number}'])}"
        return {
            "index": ["index", str(here)],
            "rank": ["rank", photo],
            "tag": ["tag", photo, other, tag, f"-{chance.choice(['warm', 'cold'])}"][: chance.choice([4, 5])],
            "tag --from-jsonl": ["tag", "--from-jsonl", str(self.folder / "tags.jsonl")],
            "judge": ["judge", photo, other, third, chance.choice(["--similar", "--dissimilar", "--clear"])],
            "train": ["train", "--learner", chance.choice(["kernel", "ratio"])],
            "suggest": ["suggest", "--untagged"],
            "accept": ["accept", photo, tag],
            "reject": ["reject", photo, tag],
            "certify": ["certify", "--answers", str(self.folder / "answers.csv")],
            "metrics": ["metrics", "--use", chance.choice(["euclidean", "kernel"])],
            "descriptors": ["descriptors", chance.choice(["--on", "--off"]), "color_edge_texture"],
            "settings": ["settings", "decode.seconds", str(chance.randint(5, 90))],
            "list": ["list", "tag:warm"],
            "tags": chance.choice([["tags"], ["tags", "--rename", tag.lstrip("+"), "kill/renamed"]]),
            "searches": ["searches", "--save", "Found", tag.replace("+", "tag:")],
            "undo": ["undo"],
            "redo": ["redo"],
            "export": ["export", "--output", str(self.folder / "out.csv")],
            "archive": ["archive", str(self.folder / "other.focal.zip")],
            "unpack": ["unpack", str(self.folder / "all.focal.zip"), "--library", str(self.folder / "unpacked")],
            "evaluate": ["evaluate", "--learner", "euclidean", "--folds", "2"],
            "merge": ["merge", str(self.folder / "all.focal.zip")],
            "agree": ["agree", str(self.folder / "all.focal.zip")],
            "agree --record": ["agree", str(self.folder / "all.focal.zip"), "--record"],
            "rate": ["rate", photo, other, "--rating", str(chance.randint(0, 5))],
            "boxes": ["boxes", photo, other, "--add", "0.25,0,0.5,0.5", "--add", "0,0,1,1", "--tag", "sail"],
            "judge parts": [
                *("judge", photo, other, third, chance.choice(["--similar", "--dissimilar", "--clear"])),
                *("--box", "0.25,0,0.5,0.5", "--other-box", chance.choice(["0,0,0.5,1", "0.5,0.25,0.5,0.5"])),
            ],
            "judge found parts": ["judge", photo, other, third, "--similar", "--box", "0.25,0,0.5,0.5"],
            "boxes suggest": ["boxes", "suggest", "--accept", "--min-confidence", "0", "--tag", "mast"],
            "pick": ["pick", "--goal", chance.choice(["diverse", "balanced", "unsure"]), "--count", "4"],
            "completion": ["completion", chance.choice(["bash", "zsh", "fish"])],
            "backup": ["backup"],
            "restore": ["restore"],
            "restore --drill": ["restore", "--drill"],
            "rescue": ["rescue"],
            "missing": ["missing"],
            "sidecars": ["sidecars"],
            "check": ["check"],
            "check --read-data": ["check", "--read-data"],
            "import": ["import", str(self.folder / "tags.jsonl"), "--format", "jsonl"],
            "import everything": [
                *("import", str(self.folder / "all.jsonl"), "--format", "jsonl"),
                *("--what", "everything"),
            ],
            "export everything": [
                *("export", "--what", "everything", "--force"),
                *("--output", str(self.folder / "everything.jsonl")),
            ],
            "frames": ["frames", str(self.folder / "scan.dcm"), "--output", str(self.folder / "frames")],
            "networks": chance.choice(
                [
                    ["networks", "--add", str(self.folder / "network" / "images.onnx"), "--name", "other"],
                    ["networks", "--rename", "mine", f"Network {number}"],
                    ["networks", "--remove", "other"],
                ]
            ),
            "lens export": ["lens", "export", "kernel-1", str(self.folder / "other.npz"), "--force"],
            "replay": ["replay", "--metric", "kernel-1", "--to", str(self.folder / f"replay-{number}")],
            "lens open": ["lens", "open", str(self.folder / "kernel.npz")],
            "recognise": ["recognise", photo],
            "plugins": ["plugins"],
            "relocate": ["relocate", str(here), str(elsewhere)],
            "demo": [
                *("demo", str(self.folder / "demo"), "--count", "8"),
                *("--library", str(self.folder / "demo.library")),
            ],
        }

    def unpacked(self) -> list[str]:
        """Return the problems of the library left by a killed ``focal unpack``, and delete it."""
        folder = self.folder / "unpacked"
        problems = []
        if folder.exists():
            with Library.open(folder) as library:  # archives have no vectors, which `check` would report
                problems = library.database.check()
            if contents(folder)["judgements"] != self.archived["judgements"]:
                problems.append("the unpacked library is not what was archived")
            shutil.rmtree(folder)
        return problems

    def drawn(self) -> list[str]:
        """Return the problems of the library left by a killed ``focal demo``, and delete it."""
        folder = self.folder / "demo.library"
        problems = _sound(folder) if folder.exists() else []
        for one in (folder, self.folder / "demo"):
            shutil.rmtree(one, ignore_errors=True)
        return problems

    def framed(self, confirmed: bool) -> list[str]:
        """Return the problems of the frames left by a killed ``focal frames``, and delete them."""
        files = sorted(self.folder.glob("frames/*.png"))
        problems = [] if len(files) == FRAMES or not confirmed else [f"of {FRAMES} frames there are {len(files)}"]
        for file in files:
            try:
                Image.open(file).load()
            except (OSError, SyntaxError) as error:
                problems.append(f"{file.name} is written half: {error}")
        shutil.rmtree(self.folder / "frames", ignore_errors=True)
        return problems

    def told(self, confirmed: bool, before: dict[str, Any]) -> list[str]:
        """Return the problems of the file left by a killed ``focal export --what everything``, and delete it."""
        file = self.folder / "everything.jsonl"
        if not file.exists():
            return ["what was exported is not there"] if confirmed else []
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        file.unlink()
        found = Counter(line["kind"] for line in lines)
        wanted = {"photo": len(self.photos), "judgement": len(before["judgements"]), "trail": len(before["trails"])}
        return [f"{found[kind]} lines of {kind} for {count}" for kind, count in wanted.items() if found[kind] != count]

    def exported(self, confirmed: bool) -> list[str]:
        """Return the problems of the file left by a killed ``focal lens export``, and delete it."""
        file = self.folder / "other.npz"
        problems = [] if file.exists() or not confirmed else ["a lens that was exported is not there"]
        if file.exists():
            try:
                read_lens(file)
            except OperationError as error:
                problems.append(f"a lens is written half: {error}")
            file.unlink()
        return problems


def _code(pipe: Connection) -> int | None:
    """Return the exit code of a command, or None if it crashed."""
    try:
        return int(pipe.recv())
    except EOFError:
        return None


def kill_commands(count: int, seed: int, only: frozenset[str] = frozenset()) -> Outcome:
    """Kill commands one after another on one library; `only` limits their names, if not empty."""
    outcome, chance = Outcome(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        place = Place(Path(name))
        place.prepare()
        before = contents(place.library)
        tried = {words[0] for words in place.samples(random.Random(0), 0).values()}
        print(f"Commands that are not tried: {', '.join(sorted(set(COMMANDS) - tried))}")
        for number in range(count):
            samples = place.samples(random.Random(f"{seed} {number}"), number)
            kinds = [kind for kind in samples if not only or kind in only]
            kind = kinds[number % len(kinds)]
            where = f"seed {seed}, kill {number} of {kind}"
            words = samples[kind]
            copy = place.folder / "copy"
            shutil.copytree(place.library, copy)
            begun = time.monotonic()
            child, pipe = _start(_command(words if "--library" in words else [*words, "--library", str(copy)]))
            wanted = _code(pipe)
            if wanted is None:
                outcome.problems.append(f"{where}: it crashed")
            os.waitpid(child, 0)
            took = time.monotonic() - begun
            for left in ("unpacked", "demo", "demo.library"):
                shutil.rmtree(place.folder / left, ignore_errors=True)
            shutil.rmtree(place.folder / "frames", ignore_errors=True)
            for left in ("other.npz", "everything.jsonl"):
                (place.folder / left).unlink(missing_ok=True)
            after = contents(copy)
            shutil.rmtree(copy)
            child, pipe = _start(_command(words if "--library" in words else [*words, "--library", str(place.library)]))
            ended = pipe.poll(chance.uniform(0.0, took))
            code = _code(pipe) if ended else None
            _kill(child)
            outcome.kills[kind] += 1
            outcome.struck += not ended
            problems = _sound(place.library)
            if ended and code != wanted:
                problems.append(f"it ended with {code} and in a copy of the library with {wanted}")
            found = contents(place.library)
            allowed = [after] if ended else [before, after]
            if kind in (
                "index",
                "train",
                "lens open",
            ):  # training uses another name if a file of the killed run exists
                allowed += [found] * all(_holds(found, one) for one in (before,))
            if found not in allowed:
                differing = [key for key in found if found[key] not in [one[key] for one in allowed]]
                problems.append(f"neither as before nor as after: {[(key, found[key]) for key in differing][:2]}")
            if kind == "unpack":
                problems += place.unpacked()
            if kind == "demo":
                problems += place.drawn()
            if kind == "lens export":
                problems += place.exported(code == 0)
            if kind == "frames":
                problems += place.framed(code == 0)
            if kind == "export everything":
                problems += place.told(code == 0, before)
            outcome.problems += [f"{where}: {problem}" for problem in problems]
            before = found
    return outcome


def _holds(found: dict[str, Any], before: dict[str, Any]) -> bool:
    """Return whether the user's data are unchanged, except for trained metrics."""
    return all(found[key] == before[key] for key in ("tags", "judgements", "relations", "texts", "marks", "rejected"))


# ---------------------------------------------------------------------- the window
def _open_window(folder: Path) -> tuple[QApplication, WindowDriver]:
    """Return the application, which the caller must hold, and a driver of an idle window on a library."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QSettings

    from focal_photos.browser.app import make_application
    from focal_photos.browser.models.session import Session
    from focal_photos.browser.views.base.theme import Theme, ThemeChoice
    from focal_photos.browser.views.window.main_window import MainWindow
    from focal_photos.browser.walkthrough.window_driver import WindowDriver

    app = make_application(["focal"])
    settings = QSettings(str(folder.with_name("settings.ini")), QSettings.Format.IniFormat)
    window = MainWindow(Session(Library.open(folder)), Theme(app, ThemeChoice.DARK), settings)
    window.show()
    window.session.start([])
    driver = WindowDriver(window)
    driver.wait_until_idle("the library")
    return app, driver


def _use_window(folder: Path, seed: int, number: int, state: State) -> Callable[[Connection], None]:
    def run(pipe: Connection) -> None:
        from focal_photos.browser.operations.ranking.queries.query import RegionQuery, TextQuery

        _app, driver = _open_window(folder)
        window = driver.window
        pipe.send("ready")
        ids = ids_of(window.session.library)
        now = state
        for step in _steps(seed, number, state):
            editor, values = window.session.editor, step.values
            match step.kind:
                case "tag":
                    editor.tag([ids[photo] for photo in values[0]], values[1], values[2])
                case "judge":
                    editor.judge([ids[values[0]]], [ids[other] for other in values[1]], values[2])
                case "judge a text":
                    editor.judge(TextQuery(values[0]), [ids[other] for other in values[1]], values[2])
                case "reject":
                    editor.reject([(ids[photo], tag) for photo, tag in values])
                case "judge pairs":
                    editor.judge_pairs(pairs_of(ids, values[0]), values[1])
                case "pick":
                    editor.pick([ids[photo] for photo in values[0]], [ids[photo] for photo in values[1]])
                case "merge":
                    editor.merge(ids[values[0]], [ids[other] for other in values[1]])
                case "keep apart":
                    editor.keep_apart([ids[photo] for photo in values])
                case "draw box":
                    editor.add_box(ids[values[0]], region_of(values[1]), lambda _box: None, lambda: None)
                case "refuse box":
                    library = window.session.library
                    editor.publish(library.boxes.reject([(ids[values[0]], region_of(values[1]), values[2])]))
                case "judge regions":
                    query = RegionQuery(ids[values[0]], region_of(values[1]))
                    found = {ids[other]: region_of(side) for other, side in values[2] if other != values[0]}
                    editor.judge(query, list(found), values[3], found=found)
                case "move box" | "name box" | "remove box" if values[0] is not None:
                    box = window.session.library.boxes.all()[values[0]].id
                    if step.kind == "move box":
                        editor.move_box(box, region_of(values[1]), lambda: None)
                    elif step.kind == "name box":
                        editor.name_boxes([box], values[1])
                    else:
                        editor.remove_boxes([box], lambda: None)
                case "turn":
                    editor.rotate([ids[photo] for photo in values[0]], values[1])
                case "keep trail":
                    window.session.naming.save_trail(values[0], kept_steps(ids, values[1]))
                case "rename trail":
                    if values[0] in now.facts.trails and values[1] not in now.facts.trails:
                        window.session.naming.rename_trail(*values)
                case "delete trail":
                    window.session.naming.delete_trail(*values)
                case "save search":
                    window.session.naming.save_search(*values)
                case "undo" | "redo":
                    getattr(editor, step.kind)()
            driver.wait_until_idle("the step")
            now = follow(now, step)
            pipe.send("done")

    return run


def _steps(seed: int, number: int, state: State, most: int = 60) -> list[Any]:
    """Return the steps of a user from a state on that the window offers; no kill comes after more of them."""
    chance, steps, place = random.Random(f"{seed} {number}"), list[Any](), 0
    while len(steps) < most:
        step = choose(chance, state, place)
        place += 1
        if step.kind in _IN_WINDOW and not (step.kind == "draw box" and step.values[2]):  # a name is another step
            steps.append(step)
            state = follow(state, step)
    return steps


def kill_window(count: int, seed: int) -> Outcome:
    """Kill the window while a user tags, judges, rejects, rotates, picks, merges, undoes and redoes."""
    outcome, chance, state = Outcome(), random.Random(seed), State()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "library"
        new_library(folder)
        for number in range(count):
            child, pipe = _start(_use_window(folder, seed, number, state))
            where = f"seed {seed}, kill {number} of the window"
            done = 0
            try:
                if chance.random() < 0.1:
                    pipe.poll(chance.uniform(0.0, 1.0))  # while it starts
                elif pipe.poll(LONGEST) and pipe.recv() == "ready":
                    end = time.monotonic() + chance.uniform(0.0, 0.8)
                    while (left := end - time.monotonic()) > 0 and pipe.poll(left):
                        pipe.recv()
                        done += 1
            except EOFError:
                outcome.problems.append(f"{where}: it crashed")
            _kill(child)
            try:
                while pipe.poll(0):
                    done += pipe.recv() == "done"
            except EOFError:
                pass
            outcome.kills["window"] += 1
            outcome.struck += 1
            states = [state]
            for step in _steps(seed, number, state)[: done + 1]:
                states.append(follow(states[-1], step))
            possible = states[done : done + 2]
            try:
                with Library.open(folder) as library:
                    problems = library.database.check()
                    found = [differences(library, one) for one in possible]
            except LibraryError as error:
                outcome.problems.append(f"{where}: it does not open: {error}")
                break
            if [] in found:
                state = possible[found.index([])]
            else:
                outcome.problems.append(f"{where} after {done} steps: {found[0][:2]}")
                break
            outcome.problems += [f"{where}: {problem}" for problem in problems]
    return outcome


def _use_review(folder: Path, seed: int, number: int) -> Callable[[Connection], None]:
    """Answer in Review and by photo, train, use metrics without gain, rename tags and undo; report the contents."""

    def run(pipe: Connection) -> None:
        from focal_photos.browser.walkthrough.window_driver import DriverError

        _app, driver = _open_window(folder)
        session, chance = driver.window.session, random.Random(f"{seed} {number}")
        session.review.open()
        driver.wait_until_idle("the question")
        pipe.send(("ready", contents_of(session.library)))
        for step in range(1000):
            review, asked = session.review, session.review_pages.photo_by_photo
            names = [tag.name for tag in session.library.tags.all()]
            doing = chance.choice(("answer",) * 6 + ("train", "nevertheless", "rename", "undo", "redo"))
            if doing == "answer" and asked.photo is not None:
                for tag in asked.offered()[: chance.randrange(3)]:
                    asked.toggle(tag)
                chance.choice((asked.keep, asked.keep, asked.leave_open))()
            elif doing == "answer":
                review.tiles.flip([chance.randrange(5)])
                review.current.see(3)
                if not chance.randrange(5) or not review.accept(f"kind {chance.randrange(4)}"):
                    review.leave_open()
                if review.question is None and not asked.photos:
                    review.leave()
                    review.open()
            elif doing == "train":
                session.jobs.training.retrain(chance.choice(("kernel", "rca", None)))
            elif doing == "nevertheless":
                session.jobs.training.use_nevertheless()
            elif doing == "rename" and names:
                session.naming.rename_tag(chance.choice(names), f"name {number} {step}")
            elif doing in ("undo", "redo"):
                getattr(session.editor, doing)()
            with suppress(DriverError):  # nothing to learn from
                driver.wait_until_idle("the step")
            pipe.send((doing, contents_of(session.library)))

    return run


def _use_audit(folder: Path, seed: int, number: int) -> Callable[[Connection], None]:
    """Answer an audit, skip tags, start again and undo; report the contents."""

    def run(pipe: Connection) -> None:
        _app, driver = _open_window(folder)
        session, chance = driver.window.session, random.Random(f"{seed} {number}")
        audit = session.review_pages.audit
        audit.open()
        driver.wait_until_idle("the audit")
        pipe.send(("ready", contents_of(session.library)))
        for _ in range(1000):
            doing = chance.choice(("answer",) * 6 + ("pass over", "begin", "undo", "redo"))
            if doing == "begin" or (doing == "answer" and not audit.left):
                audit.begin([tag for tag, _ in audit.tags[: chance.randint(1, 3)]], chance.choice((4, 30)))
            elif doing == "answer":
                if audit.question is None:
                    audit.go_on()
                audit.tiles.flip(chance.sample(range(MAX_PHOTOS), chance.randrange(4)))
                audit.accept()
            elif doing == "pass over":
                audit.pass_over()
            else:
                getattr(session.editor, doing)()
            driver.wait_until_idle("the step")
            pipe.send((doing, contents_of(session.library)))

    return run


def _differs_after_undo(library: Library, confirmed: dict[str, Any]) -> str:
    """Return the differences from the confirmed contents, unless undoing or redoing the last steps removes them."""
    kept = [key for key in confirmed if key not in ("undo", "redo", "files")]

    def differ() -> list[str]:
        now = contents_of(library)
        return [key for key in kept if now[key] != confirmed[key]]

    first = different = differ()
    undone = 0
    while different and undone < 3 and library.journal.undo_label():
        library.journal.undo()
        undone += 1
        different = differ()
    if different:
        for _ in range(undone + 1):
            if different and library.journal.redo_label():
                library.journal.redo()
                different = differ()
    else:
        for _ in range(undone):
            library.journal.redo()
    return ", ".join(first) if different else ""


def _use_boxes(folder: Path, seed: int, number: int) -> Callable[[Connection], None]:
    """Answer suggested boxes, or draw, name, move and remove boxes by mouse and keys; report the contents."""

    def run(pipe: Connection) -> None:
        from PySide6.QtCore import QPoint, Qt

        from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT
        from tests.browser.views.photos.boxes.box_driver import BoxDriver

        _app, driver = _open_window(folder)
        session, chance, key = driver.window.session, random.Random(f"{seed} {number}"), Qt.Key
        page, boxes = driver.window.modes.review_page.box_page, BoxDriver(driver)
        answering = number % 2 == 0

        def begin() -> None:
            if answering:
                driver.press(key.Key_B, CTRL | SHIFT)
            else:
                boxes.open(chance.randrange(8))
                driver.press(key.Key_B)
            driver.wait_until_idle("the boxes")

        def answer(doing: str) -> None:
            if doing == "correct":
                driver.press(key.Key_E)
                driver.wait_until_idle("the frame")
                for _ in range(3):
                    driver.press(chance.choice((key.Key_Left, key.Key_Up)), chance.choice((SHIFT, CTRL & SHIFT)))
            elif doing == "reject":
                driver.press(key.Key_X)
            driver.wait_until(lambda: page.ready or session.review_pages.boxes.question is None, "Enter")
            driver.press(key.Key_Return)

        def draw(doing: str) -> None:
            if doing == "draw":
                x, y = chance.uniform(0.1, 0.6), chance.uniform(0.1, 0.6)
                boxes.drag(boxes.at(x, y), boxes.at(x + chance.uniform(0.1, 0.3), y + 0.2))
                driver.type(chance.choice(("rings", "bars", "mast")))
                driver.press(key.Key_Return, SHIFT)
            elif boxes.model.current is not None and doing == "move":
                at = boxes.rect(list(boxes.model.boxes).index(boxes.model.current)).center().toPoint()
                boxes.drag(at, at + QPoint(chance.randint(-60, 60), chance.randint(-60, 60)))
            elif doing == "remove":
                driver.press(key.Key_Delete)
            else:
                driver.press(chance.choice((key.Key_Tab, key.Key_N)))

        begin()
        pipe.send(("ready", contents_of(session.library)))
        for _ in range(1000):
            kinds = ("accept", "correct", "reject") if answering else ("draw", "draw", "draw", "move", "next", "remove")
            doing = chance.choice((*kinds * 2, "undo", "redo"))
            if doing in ("undo", "redo"):
                getattr(session.editor, doing)()
            elif answering and session.review_pages.boxes.question is None:
                driver.press(key.Key_Escape)
                begin()
            else:
                (answer if answering else draw)(doing)
            driver.wait_until_idle("the step")
            pipe.send((doing, contents_of(session.library)))

    return run


def kill_review(count: int, seed: int) -> Outcome:
    """Kill the window while a user answers Review questions, trains metrics and renames tags."""
    return _kill_answering("Review", _use_review, _fill_review, count, seed)


def kill_audit(count: int, seed: int) -> Outcome:
    """Kill the window while a user answers an audit: only unconfirmed answers may be lost."""
    return _kill_answering("an audit", _use_audit, _fill_review, count, seed)


def kill_boxes(count: int, seed: int) -> Outcome:
    """Kill the window while a user answers suggested boxes, and while another one draws boxes."""
    return _kill_answering("boxes", _use_boxes, _fill_boxes, count, seed)


def _fill_review(place: Place) -> None:
    album = Album(place.folder / "photos")
    for kind in ("warm", "cold", "green", "grey"):
        for number in range(8):
            album.draw(f"{kind}/{number}.jpg", kind=kind if kind in ("warm", "cold") else "warm", seed=number)
    place._require(["index", str(album.folder), "--descriptors", FAMILIES])
    for first, tags in ((0, ["cold", "sky"]), (8, ["green", "sky"]), (16, ["grey"]), (24, ["warm", "sand"])):
        place._require(["tag", *place.photos[first : first + 5], *(f"+{tag}" for tag in tags)])


def _fill_boxes(place: Place) -> None:
    region_album.make(place.folder, prepared=True, each=12)
    with Library.open(place.library) as library:
        ids = library.photos.ids().tolist()
        for photo, path in zip(ids, library.photos.paths(ids), strict=True):
            kind, number = path.stem.split("_")
            if int(number) < 4:
                library.boxes.add([(photo, region_album.place(int(number)), kind)])


def _kill_answering(
    what: str,
    use: Callable[[Path, int, int], Callable[[Connection], None]],
    fill: Callable[[Place], None],
    count: int,
    seed: int,
) -> Outcome:
    outcome, chance = Outcome(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        place = Place(Path(name))
        fill(place)
        for number in range(count):
            child, pipe = _start(use(place.library, seed, number))
            where, confirmed, doing = f"seed {seed}, kill {number} in {what}", None, "the start"
            try:
                if pipe.poll(LONGEST):
                    doing, confirmed = pipe.recv()
                    end = time.monotonic() + chance.uniform(0.0, 6.0)
                    while (left := end - time.monotonic()) > 0 and pipe.poll(left):
                        doing, confirmed = pipe.recv()
            except EOFError:
                outcome.problems.append(f"{where}: it crashed after {doing}")
            _kill(child)
            with suppress(EOFError):
                while pipe.poll(0):
                    doing, confirmed = pipe.recv()
            outcome.kills[f"{what} after {doing}"] += 1
            outcome.struck += 1
            outcome.problems += [f"{where}: {problem}" for problem in _sound(place.library)]
            if confirmed is None:
                outcome.problems.append(f"{where}: it did not start")
                continue
            with Library.open(place.library) as library:
                lost = _differs_after_undo(library, confirmed)
            if lost:
                outcome.problems.append(f"{where} after {doing}: {lost}")
    return outcome


# ---------------------------------------------------------------------- sidecars
def kill_sidecars(count: int, seed: int) -> Outcome:
    """Kill exchanges with sidecars that were changed on both sides; repeated, one ends as if it had not been killed."""
    outcome, chance = Outcome(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        place = Place(Path(name) / "place")
        album = Album(place.folder / "photos")
        for number in range(6):
            album.draw(f"{number}.jpg", seed=number)
        place._require(["index", str(album.folder), "--descriptors", FAMILIES])
        place._require(["sidecars"])
        kept = Path(name) / "kept"
        while outcome.kills.total() < count:
            where = f"seed {seed}, kill {outcome.kills.total()} of sidecars"
            with Library.open(place.library) as library:
                ids = ids_of(library)
                for _ in range(chance.randint(1, 6)):
                    _change_boxes(library, chance.choice(ids), chance)
            for number in chance.sample(range(6), 3):
                _change_sidecar(album.folder / f"{number}.jpg.xmp", chance)
            shutil.copytree(place.folder, kept)
            begun = time.monotonic()
            code = place.run(["sidecars", "--prefer", "sidecar"])
            took, wanted = time.monotonic() - begun, _both_sides(place, album)
            problems = [f"it ended with {code}"] if code else []
            shutil.rmtree(place.folder)
            kept.rename(place.folder)
            for _ in range(3):
                words = ["sidecars", "--prefer", "sidecar", "--library", str(place.library)]
                child, pipe = _start(_command(words))
                ended = pipe.poll(chance.uniform(0.3 * took, took))
                _kill(child)
                outcome.kills["sidecars"] += 1
                outcome.struck += not ended
                problems += _sound(place.library)
            place.run(["sidecars", "--prefer", "sidecar"])
            found = _both_sides(place, album)
            problems += [f"{key}: {found[key]} is not {wanted[key]}" for key in wanted if found[key] != wanted[key]]
            outcome.problems += [f"{where}: {problem}" for problem in problems]
    return outcome


def _change_boxes(library: Library, photo: int, chance: random.Random) -> None:
    """Draw, move, name or remove a box of a photo, or change its tags."""
    here = library.boxes.of([photo]).get(photo, [])
    tag = chance.choice(("mast", "sail", "boat/mast"))
    match chance.choice(("draw", "draw", "move", "name", "remove", "tag", "untag")):
        case "tag":
            library.tags.change([photo], [tag])
        case "untag":
            library.tags.change([photo], remove=[tag])
        case "move" if here:
            library.boxes.move(here[0].id, _any_region(chance))
        case "name" if here:
            library.boxes.name([here[0].id], tag)
        case "remove" if here:
            library.boxes.remove([here[-1].id])
        case _:
            library.boxes.add([(photo, _any_region(chance), tag)])


def _change_sidecar(path: Path, chance: random.Random) -> None:
    """Change keywords, rating and regions of a sidecar, as another program does."""
    tag = chance.choice(("mast", "sail", "deck"))
    old = path.read_bytes() if path.exists() else None
    content = merge_xmp(old, [tag], chance.choice((None, 1, 5)), removed=[chance.choice(("hull", "sail"))])
    numbers = [one.number for one in list_regions(content)]
    region = _any_region(chance)
    new = (tag, (region.x0, region.y0, region.x1, region.y1))
    number = chance.choice([*numbers, None])
    removed = [number] if number is not None and chance.random() < 0.4 else []
    changed = {number: new} if number is not None and not removed else {}
    added = [] if number is not None else [(*new, "")]
    path.write_bytes(write_regions(content, (96, 64), changed=changed, removed=removed, added=added))


def _any_region(chance: random.Random) -> Region:
    x, y = chance.choice((0.0, 0.125, 0.25)), chance.choice((0.0, 0.25, 0.5))
    return Region(x, y, x + 0.5, y + 0.375)


def _both_sides(place: Place, album: Album) -> dict[str, Any]:
    """Return tags, ratings and boxes of the library, and what the sidecars hold."""
    now = contents(place.library)
    sides: dict[str, Any] = {key: now[key] for key in ("tags", "marks")}
    sides["boxes"] = sorted((row[1:7] for row in now["boxes"]), key=repr)
    for path in sorted(album.folder.glob("*.xmp")):
        metadata, regions = parse_xmp(path.read_bytes()), list_regions(path.read_bytes())
        sides[path.name] = sorted(metadata.tags), metadata.rating, sorted((one.name, one.sides) for one in regions)
    return sides


# ---------------------------------------------------------------------- workers
def kill_workers(count: int, seed: int) -> Outcome:
    """Kill and stop single workers at random moments while two at a time describe photos."""
    outcome, chance = Outcome(), random.Random(seed)
    number = 0
    while sum(outcome.kills.values()) < count:
        number += 1
        with tempfile.TemporaryDirectory() as name:
            album = Album(Path(name) / "photos")
            total = chance.randint(20, 40)
            album.draw_many(total)
            ended = threading.Event()
            kills: list[str] = []
            wanted = min(chance.randint(1, 6), count - sum(outcome.kills.values()))
            striker = threading.Thread(target=_strike, args=(chance, ended, kills, wanted))
            begun = time.monotonic()
            striker.start()
            try:
                with Library.open(Path(name) / "library") as library:
                    library.settings.set("descriptors", FAMILIES.split(","))
                    report = _index_at_last(library, album.folder, outcome)
                    problems = [f"{path.name}: {reason}" for path, reason in report.failed]
                    if len(kills) < total and len(problems) > len(kills):
                        outcome.problems.append(f"seed {seed}, run {number}: {len(kills)} kills cost {problems[:3]}")
                    if report.photos != total:
                        outcome.problems.append(f"seed {seed}, run {number}: {report.photos} of {total} photos")
                    finish(index(library, [], workers=2, retry=True))
                    lacking = library.photos.ids("failed").size + library.photos.undescribed().size
                    if lacking:
                        outcome.problems.append(f"seed {seed}, run {number}: {lacking} photos are not described")
                    found = finish(check(library))
                    outcome.problems += [f"seed {seed}, run {number}: {one}" for one in found.problems + found.repaired]
            finally:
                ended.set()
                striker.join()
            took = time.monotonic() - begun
            if took > LONGEST:
                outcome.problems.append(f"seed {seed}, run {number}: it took {took:.0f} s")
            outcome.kills.update(kills)
            outcome.struck += len(kills)
    return outcome


def _index_at_last(library: Library, folder: Path, outcome: Outcome) -> IndexReport:
    """Index a folder; count runs in which no worker could start because each was killed, and try again."""
    while True:
        try:
            return finish(index(library, [folder], workers=2))
        except StartError:
            outcome.given_up += 1


def _strike(chance: random.Random, ended: threading.Event, kills: list[str], wanted: int) -> None:
    """Kill workers, each at a random moment after it was first seen."""
    seen: set[int] = set()
    while not ended.is_set() and len(kills) < wanted:
        fresh = [pid for pid in workers_of() if pid not in seen]
        if not fresh:
            select.select([], [], [], 0.002)
            continue
        pid = chance.choice(fresh)
        seen.add(pid)
        time.sleep(chance.choice([0.0, chance.uniform(0.0, 0.05), chance.uniform(0.0, 1.0), chance.uniform(0.0, 2.5)]))
        try:
            state = Path(f"/proc/{pid}/stat").read_text().split()[2]
            os.kill(pid, signal.SIGKILL)
        except (OSError, IndexError):
            continue
        kills.append({"R": "worker at work", "S": "worker waiting", "D": "worker reading"}.get(state, "worker"))


# ---------------------------------------------------------------------- all
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, default=600)
    parser.add_argument("--window", type=int, default=400)
    parser.add_argument("--review", type=int, default=60)
    parser.add_argument("--audit", type=int, default=60)
    parser.add_argument("--boxes", type=int, default=60)
    parser.add_argument("--sidecars", type=int, default=60)
    parser.add_argument("--workers", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", metavar="NAME,...", help="commands, by their names in the output")
    options = parser.parse_args()
    bad = 0
    for kill, count in (
        (partial(kill_commands, only=frozenset(filter(None, options.only.split(",")))), options.commands),
        (kill_window, options.window),
        (kill_review, options.review),
        (kill_audit, options.audit),
        (kill_boxes, options.boxes),
        (kill_sidecars, options.sidecars),
        (kill_workers, options.workers),
    ):
        if not count:
            continue
        begun = time.perf_counter()
        outcome = kill(count, options.seed)
        print("\n".join(outcome.problems[:20]))
        kinds = ", ".join(f"{number} of {kind}" for kind, number in sorted(outcome.kills.items()))
        print(
            f"{sum(outcome.kills.values())} kills ({kinds}), {outcome.struck} before the end, "
            f"{outcome.given_up} times no worker could start: "
            f"{len(outcome.problems)} problems; {time.perf_counter() - begun:.0f} s",
            flush=True,
        )
        bad += len(outcome.problems)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
