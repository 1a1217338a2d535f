# SPDX-License-Identifier: MIT
"""A simulated user who makes every kind of change to a library, with a seed, and a simple model of the results."""

from __future__ import annotations

import copy
import os
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.facts.marks import UNCHANGED
from focal_photos.browser.catalog.facts.records import (
    Exchanged,
    FoundFile,
    NamedRegion,
    Region,
    SavedStep,
    SavedTrail,
    SuggestionState,
    TagSource,
    Verdict,
)
from focal_photos.browser.catalog.facts.trails import TrailNameError
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.operations.duplicates.merge import merge_duplicates
from focal_photos.browser.operations.exchange.formats import CSV
from focal_photos.browser.operations.exchange.import_file import import_tags
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.tagging.audit.answer import answer_audit
from focal_photos.browser.operations.tagging.judging.judge import judge_pairs

COUNT: Final = 6
"""Number of photos in the library made by `new_library`."""

TAGS: Final = ("beach", "sea", "été", "a b", "x")
LABELS: Final = ("Red", "Grün", None)
RATINGS: Final = (-1, None, 1, 5)
SIDES: Final = (0.0, 0.25, 0.5)
NAMES: Final = ("way", "Straße", "a b")
"""Names of trails and saved searches."""


Way = tuple[int, tuple[int, ...], str]
"""Contents of a trail: a focal image, then photos like the target, then a text."""

Drawn = tuple[int, float, str | None, bool]
"""A box: photo, left side, tag, and whether the photo has the tag because of the box."""

Shared = tuple[int, tuple[tuple[str | None, float], ...]]
"""An exchange with a sidecar: number of the step, and tag and left side of each shared box."""


@dataclass
class Facts:
    """Facts that undo can restore. Photos are numbered from 0."""

    tags: dict[tuple[int, str], str] = field(default_factory=dict)
    suggestions: dict[tuple[int, str], str] = field(default_factory=dict)
    judgements: dict[tuple[int, int], str] = field(default_factory=dict)
    relations: set[tuple[int, int, int | None]] = field(default_factory=set)
    texts: dict[tuple[str, int], str] = field(default_factory=dict)
    judged_regions: dict[tuple[int, float, int], tuple[float, str]] = field(default_factory=dict)
    refused: list[tuple[int, float, str]] = field(default_factory=list)
    marks: dict[int, tuple[int | None, str | None]] = field(default_factory=dict)
    trails: dict[str, Way] = field(default_factory=dict)
    searches: dict[str, str] = field(default_factory=dict)
    regions: dict[int, float] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    boxes: list[Drawn] = field(default_factory=list)
    exchanged: dict[int, Shared] = field(default_factory=dict)
    audit: tuple[int, str, dict[int, bool | None]] | None = None  # number of the step, tag, and answers by photo
    apart: set[tuple[int, int]] = field(default_factory=set)
    sure_tags: set[tuple[int, str]] = field(default_factory=set)
    sure_judgements: dict[tuple[int, int], str] = field(default_factory=dict)
    metrics: list[str] = field(default_factory=lambda: ["euclidean"])
    current: str = "euclidean"


@dataclass
class State:
    """Contents of a library that the model predicts."""

    facts: Facts = field(default_factory=Facts)
    past: list[tuple[Facts, Facts]] = field(default_factory=list)
    future: list[tuple[Facts, Facts]] = field(default_factory=list)
    settings: dict[str, int] = field(default_factory=dict)
    removed: bool = False
    photos: int = COUNT


@dataclass(frozen=True)
class Step:
    """One action of the user; `values` are its arguments, and `number` counts the steps."""

    kind: str
    number: int
    values: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"{self.number}: {self.kind} {self.values}"


def album_of(folder: Path) -> Path:
    """Return the folder of a library's photos; the photos have only rows in the catalogue, no files."""
    return folder.with_name("album")


def new_library(folder: Path) -> None:
    """Make a library of `COUNT` photos."""
    album_of(folder).mkdir(exist_ok=True)
    with Library.open(folder) as library:
        library.roots.add(album_of(folder))
        for number in range(COUNT):
            _record(library, number)


def choose(chance: random.Random, state: State, number: int) -> Step:
    """Return the user's next step."""

    def photos() -> tuple[int, ...]:
        return tuple(chance.sample(range(COUNT), chance.randint(1, 3)))

    def pairs() -> tuple[tuple[int, str], ...]:
        return tuple((photo, chance.choice(TAGS)) for photo in photos())

    kind = chance.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
    match kind:
        case "tag":
            add, remove = (tuple(chance.sample(TAGS, chance.randint(0, 2))) for _ in range(2))
            return Step(kind, number, (photos(), add, tuple(name for name in remove if name not in add)))
        case "accept" | "reject" | "import":
            return Step(kind, number, pairs())
        case "judge":
            focal = chance.randrange(COUNT)
            others = tuple(other for other in photos() if other != focal)
            return Step(kind, number, (focal, others, chance.choice([*Verdict, None])))
        case "relate":
            focal, other, than = chance.sample(range(COUNT), 3)
            return Step(kind, number, (focal, other, chance.choice([than, None]), chance.random() < 0.7))
        case "judge a text":
            return Step(kind, number, (chance.choice(["a red boat", "sea"]), photos(), chance.choice([*Verdict, None])))
        case "judge regions":
            found = tuple((other, chance.choice(SIDES)) for other in photos())
            query = chance.randrange(COUNT), chance.choice(SIDES)
            return Step(kind, number, (*query, found, chance.choice([*Verdict, None])))
        case "refuse box":
            return Step(kind, number, (chance.randrange(COUNT), chance.choice(SIDES), chance.choice(TAGS)))
        case "allow box":
            refused = state.facts.refused
            return Step(kind, number, (chance.randrange(len(refused)) if refused else None,))
        case "rate":
            return Step(kind, number, (photos(), chance.choice(RATINGS)))
        case "label":
            return Step(kind, number, (photos(), chance.choice(LABELS)))
        case "together":
            return Step(kind, number, (photos(), chance.choice(RATINGS), chance.choice(LABELS)))
        case "keep trail":
            way = (chance.randrange(COUNT), photos(), chance.choice(["a red boat", "sea"]))
            return Step(kind, number, (chance.choice(NAMES), way))
        case "rename trail":
            return Step(kind, number, tuple(chance.sample(NAMES, 2)))
        case "delete trail":
            return Step(kind, number, (chance.choice(NAMES),))
        case "save search":
            return Step(kind, number, (chance.choice(NAMES), f"tag:{chance.choice(TAGS[:3])}"))
        case "delete searches":
            return Step(kind, number, tuple(chance.sample(NAMES, chance.randint(1, 2))))
        case "region":
            return Step(kind, number, (chance.randrange(COUNT), chance.choice([None, 0.25, 0.5])))
        case "turn":
            return Step(kind, number, (photos(), chance.choice([-1, 1, 2])))
        case "draw box":
            return Step(kind, number, (chance.randrange(COUNT), chance.choice(SIDES), chance.choice([*TAGS, None])))
        case "move box":
            return Step(kind, number, (_any_box(chance, state), chance.choice(SIDES)))
        case "name box":
            return Step(kind, number, (_any_box(chance, state), chance.choice([*TAGS, None])))
        case "remove box":
            return Step(kind, number, (_any_box(chance, state),))
        case "judge pairs":
            some = [(chance.choice([*range(COUNT), "sea"]), photo) for photo in photos()]
            return Step(
                kind, number, (tuple(pair for pair in some if pair[0] != pair[1]), chance.choice([*Verdict, None]))
            )
        case "pick":
            picked = photos()
            others = tuple(photo for photo in photos() if photo not in picked)
            return Step(kind, number, (picked, others))
        case "merge":
            chosen = chance.sample(range(COUNT), chance.randint(2, 4))
            return Step(kind, number, (chosen[0], tuple(chosen[1:])))
        case "keep apart":
            return Step(kind, number, tuple(chance.sample(range(COUNT), chance.randint(2, 3))))
        case "exchange":
            shared = tuple((chance.choice([*TAGS, None]), chance.choice(SIDES)) for _ in range(chance.randrange(3)))
            return Step(kind, number, (photos(), shared))
        case "audit":
            return Step(kind, number, (chance.choice(TAGS), photos()))
        case "answer audit" | "answer and correct":
            drawn = () if state.facts.audit is None else tuple(state.facts.audit[2])
            return Step(kind, number, tuple((photo, chance.random() < 0.5) for photo in drawn[: chance.randint(0, 3)]))
        case "keep tag":
            return Step(kind, number, chance.choice([*sorted(state.facts.tags), (0, TAGS[0])]))
        case "keep judgement":
            return Step(kind, number, chance.choice([*sorted(state.facts.judgements), (0, 1)]))
        case "use":
            return Step(kind, number, (chance.choice(state.facts.metrics),))
        case "set":
            return Step(kind, number, (f"setting.{chance.randrange(3)}", chance.randrange(1000)))
        case _:
            return Step(kind, number)


def _any_box(chance: random.Random, state: State) -> int | None:
    """Return the place of a box among all; None without boxes."""
    return chance.randrange(len(state.facts.boxes)) if state.facts.boxes else None


_WEIGHTS: Final = {
    "tag": 6,
    "import": 1,
    "accept": 2,
    "reject": 2,
    "judge": 4,
    "relate": 3,
    "judge a text": 2,
    "judge regions": 3,
    "refuse box": 3,
    "allow box": 1,
    "rate": 2,
    "label": 2,
    "together": 4,
    "keep trail": 3,
    "rename trail": 1,
    "delete trail": 1,
    "save search": 1,
    "delete searches": 1,
    "region": 2,
    "turn": 2,
    "draw box": 4,
    "move box": 2,
    "name box": 3,
    "remove box": 2,
    "exchange": 2,
    "judge pairs": 2,
    "pick": 2,
    "merge": 2,
    "keep apart": 2,
    "audit": 1,
    "answer audit": 2,
    "answer and correct": 3,
    "keep tag": 2,
    "keep judgement": 2,
    "train": 1,
    "use": 1,
    "set": 1,
    "folder": 1,
    "photo": 1,
    "undo": 4,
    "redo": 3,
}


# ---------------------------------------------------------------------- steps on the library
def do(library: Library, step: Step) -> None:
    """Perform a step on the library; raises the errors of the library."""
    ids = ids_of(library)
    values = step.values
    match step.kind:
        case "tag":
            library.tags.change([ids[photo] for photo in values[0]], values[1], values[2])
        case "import":
            _import(library, values)
        case "accept" | "reject":
            getattr(library.suggestions, step.kind)([(ids[photo], name) for photo, name in values])
        case "judge":
            library.judgements.set(ids[values[0]], [ids[other] for other in values[1]], values[2])
        case "relate":
            focal, other, than, holds = values
            library.judged_relations.set([(ids[focal], ids[other], None if than is None else ids[than])], holds)
        case "judge a text":
            library.text_judgements.set(values[0], [ids[other] for other in values[1]], values[2])
        case "judge regions":
            found = [(ids[other], region_of(side)) for other, side in values[2]]
            library.region_judgements.set(ids[values[0]], region_of(values[1]), found, values[3])
        case "refuse box":
            library.boxes.reject([(ids[values[0]], region_of(values[1]), values[2])])
        case "allow box" if values[0] is not None:
            library.boxes.allow([library.boxes.rejected()[values[0]].id])
        case "rate":
            library.marks.set([ids[photo] for photo in values[0]], rating=values[1], label=UNCHANGED)
        case "label":
            library.marks.set([ids[photo] for photo in values[0]], rating=UNCHANGED, label=values[1])
        case "together":
            with library.journal.action("Rate and label"):
                library.marks.set([ids[photo] for photo in values[0]], rating=values[1])
                library.marks.set([ids[photo] for photo in values[0]], label=values[2])
        case "keep trail":
            library.trails.save(values[0], kept_steps(ids, values[1]))
        case "rename trail":
            with suppress(TrailNameError):  # the trail is missing, or the new name is taken
                library.trails.rename(*values)
        case "delete trail":
            library.trails.delete(values[0])
        case "save search":
            library.searches.save(*values)
        case "delete searches":
            library.searches.delete(values)
        case "region":
            photo, side = values
            library.regions.set(ids[photo], None if side is None else Region(side, 0.0, 1.0, 0.5))
        case "turn":
            library.rotations.rotate([ids[photo] for photo in values[0]], values[1])
        case "audit":
            tag, photos = values
            drawn = [DrawnPhoto(tag, ids[photo], 0) for photo in photos]
            strata = (AuditStratum(0, COUNT, 0.5),)
            at = datetime.now(UTC)
            library.audits.begin([TagAudit(tag, "", COUNT, False, strata, f"{step.number:016x}", at)], drawn)
        case "answer audit" | "answer and correct":
            if values:
                (audit,) = library.audits.all()
                present = {ids[photo]: answer for photo, answer in values}
                answer_audit(library, audit.tag, present, correct=step.kind == "answer and correct")
        case "judge pairs":
            judge_pairs(library, pairs_of(ids, values[0]), values[1])
        case "pick":
            library.marks.pick([ids[photo] for photo in values[0]], [ids[photo] for photo in values[1]])
        case "draw box":
            library.boxes.add([(ids[values[0]], region_of(values[1]), values[2])])
        case "move box" | "name box" | "remove box" if values[0] is not None:
            box = library.boxes.all()[values[0]].id
            match step.kind:
                case "move box":
                    library.boxes.move(box, region_of(values[1]))
                case "name box":
                    library.boxes.name([box], values[1])
                case _:
                    library.boxes.remove([box])
        case "exchange":
            at, boxes = (
                datetime.fromtimestamp(step.number, UTC),
                [NamedRegion(tag, region_of(x)) for tag, x in values[1]],
            )
            sidecar = album_of(library.path) / "a.xmp"
            rows = [
                Exchanged(ids[photo], sidecar, f"{step.number:032x}", (), None, None, at, tuple(boxes))
                for photo in values[0]
            ]
            library.exchange.record(rows, journaled=True)
        case "merge":
            merge_duplicates(library, ids[values[0]], [ids[other] for other in values[1]])
        case "keep apart":
            library.not_duplicates.add([ids[photo] for photo in values])
        case "keep tag":
            library.confirmations.confirm_tag(ids[values[0]], values[1])
        case "keep judgement":
            library.confirmations.confirm_judgement(ids[values[0]], ids[values[1]])
        case "train":
            name = _metric(step.number)
            with atomic_file(library.metrics.folder / f"{name}.npz") as stream:
                stream.write(_learned(name))
            library.metrics.add(name.removesuffix("-1"), file=f"{name}.npz", version=1)
        case "use":
            library.metrics.set_current(library.metrics.by_name(values[0]).id)
        case "set":
            library.settings.set(*values)
        case "folder":
            roots = library.roots.all()
            if roots:
                library.roots.remove(roots[0].id)
            else:
                library.roots.add(album_of(library.path))
        case "photo":
            _record(library, len(ids))
        case "undo":
            library.journal.undo()
        case "redo":
            library.journal.redo()


def region_of(side: float) -> Region:
    return Region(side, 0.25, 1.0, 0.75)


def kept_steps(ids: list[int], way: Way) -> tuple[SavedStep, ...]:
    """Return a trail in the form stored by the library."""
    focal, like, text = way
    return SavedStep(focal=ids[focal]), SavedStep(like=tuple(ids[photo] for photo in like)), SavedStep(text=text)


def pairs_of(ids: list[int], pairs: tuple[tuple[int | str, int], ...]) -> list[tuple[int | str, int]]:
    """Replace the numbers of photos by ids in pairs of a focal image or text and a photo."""
    return [(focal if isinstance(focal, str) else ids[focal], ids[other]) for focal, other in pairs]


def ids_of(library: Library) -> list[int]:
    """Return the ids of the photos in order of their numbers."""
    return [photo for (photo,) in library.database.rows("SELECT id FROM photo ORDER BY id")]


def _record(library: Library, number: int) -> None:
    (root,) = library.database.row("SELECT id FROM root") or (0,)
    name = b"%d.jpg" % number
    library.files.record([FoundFile(int(root), name, 1, 1, f"{number:032x}")])


def _import(library: Library, pairs: tuple[tuple[int, str], ...]) -> None:
    table = album_of(library.path) / f"table-{os.getpid()}.csv"
    paths = library.photos.paths(ids_of(library))
    table.write_text("file,tags\n" + "".join(f"{paths[photo].name},{name}\n" for photo, name in pairs))
    finish(import_tags(library, table, CSV))


def _metric(number: int) -> str:
    return f"own{number}-1"


def _learned(name: str) -> bytes:
    return name.encode() * 100


# ---------------------------------------------------------------------- steps on the model
def follow(state: State, step: Step) -> State:
    """Return the state after a step."""
    # Facts in the lists are never modified, so copying the lists is enough.
    new = State(
        copy.deepcopy(state.facts), [*state.past], [*state.future], {**state.settings}, state.removed, state.photos
    )
    match step.kind:
        case "set":
            new.settings[step.values[0]] = step.values[1]
        case "folder":
            new.removed = not new.removed
        case "photo":
            new.photos += not new.removed  # a removed folder adds no photos
        case "undo":
            if new.past:
                new.future.append(new.past.pop())
                new.facts = copy.deepcopy(new.future[-1][0])
        case "redo":
            if new.future:
                new.past.append(new.future.pop())
                new.facts = copy.deepcopy(new.past[-1][1])
        case _:
            _FOLLOW[step.kind](new.facts, step)
            if new.facts != state.facts:
                new.past.append((copy.deepcopy(state.facts), copy.deepcopy(new.facts)))
                new.future.clear()
    return new


def _follow_tag(facts: Facts, step: Step) -> None:
    photos, add, remove = step.values
    _change(facts, [(photo, name) for photo in photos for name in add], TagSource.HAND)
    for pair in [(photo, name) for photo in photos for name in remove]:
        if pair in facts.tags:
            _untag(facts, pair)
            facts.suggestions.pop(pair, None)


def _untag(facts: Facts, pair: tuple[int, str]) -> None:
    facts.tags.pop(pair, None)
    facts.boxes = [(*box[:2], None, False) if (box[0], box[2]) == pair else box for box in facts.boxes]


def _follow_judge_regions(facts: Facts, step: Step) -> None:
    photo, side, found, verdict = step.values
    for other, its_side in found:
        if other != photo:
            facts.judged_regions.pop((photo, side, other), None)
            if verdict is not None:
                facts.judged_regions[photo, side, other] = (its_side, verdict.value)


def _follow_refuse_box(facts: Facts, step: Step) -> None:
    _refuse(facts, step.values)


def _refuse(facts: Facts, refused: tuple[int, float, str]) -> None:
    if refused not in facts.refused:
        facts.refused.append(refused)


def _follow_allow_box(facts: Facts, step: Step) -> None:
    (place,) = step.values
    if place is not None:
        facts.refused.pop(place)


def _follow_draw_box(facts: Facts, step: Step) -> None:
    photo, side, tag = step.values
    facts.boxes.append((photo, side, tag, _named(facts, photo, tag)))


def _named(facts: Facts, photo: int, tag: str | None) -> bool:
    """Give a photo the tag that names its new box; return whether it is new to the photo."""
    brought = tag is not None and (photo, tag) not in facts.tags
    if tag is not None:
        _change(facts, [(photo, tag)], TagSource.HAND)
    return brought


def _follow_move_box(facts: Facts, step: Step) -> None:
    place, side = step.values
    if place is not None:
        photo, _, tag, brought = facts.boxes[place]
        facts.boxes[place] = (photo, side, tag, brought)


def _follow_name_box(facts: Facts, step: Step) -> None:
    place, tag = step.values
    if place is None or facts.boxes[place][2] == tag:
        return
    before = facts.boxes[place]
    facts.boxes[place] = (*before[:2], tag, _named(facts, before[0], tag))
    _release(facts, before)


def _follow_remove_box(facts: Facts, step: Step) -> None:
    (place,) = step.values
    if place is not None:
        _release(facts, facts.boxes.pop(place))


def _release(facts: Facts, box: Drawn) -> None:
    """Pass the tag that a box brought on to another box, or remove it from the photo."""
    photo, _, tag, brought = box
    if tag is None or not brought:
        return
    for place, other in enumerate(facts.boxes):
        if (other[0], other[2]) == (photo, tag):
            facts.boxes[place] = (*other[:3], True)
            return
    _untag(facts, (photo, tag))
    facts.suggestions.pop((photo, tag), None)


def _follow_import(facts: Facts, step: Step) -> None:
    _change(facts, step.values, TagSource.IMPORT)


def _change(facts: Facts, pairs: Any, source: TagSource) -> None:
    for pair in pairs:
        if pair not in facts.tags:
            facts.tags[pair] = source.value
            facts.suggestions.pop(pair, None)


def _follow_accept(facts: Facts, step: Step) -> None:
    for pair in step.values:
        if pair not in facts.tags and facts.suggestions.get(pair) != "accepted":
            facts.tags[pair] = TagSource.ACCEPTED.value
            facts.suggestions[pair] = "accepted"


def _follow_reject(facts: Facts, step: Step) -> None:
    for pair in step.values:
        if facts.tags.get(pair) in (None, TagSource.ACCEPTED.value):
            _untag(facts, pair)
            facts.suggestions[pair] = "rejected"


def _follow_judge(facts: Facts, step: Step) -> None:
    focal, others, verdict = step.values
    for other in others:
        if verdict is None:
            facts.judgements.pop((focal, other), None)
        else:
            facts.judgements[focal, other] = verdict.value


def _follow_relate(facts: Facts, step: Step) -> None:
    focal, other, than, holds = step.values
    if not holds:
        facts.relations.discard((focal, other, than))
        return
    facts.relations.add((focal, other, than))
    facts.relations.discard((focal, than, other))


def _follow_judge_a_text(facts: Facts, step: Step) -> None:
    text, others, verdict = step.values
    for other in others:
        if verdict is None:
            facts.texts.pop((text, other), None)
        else:
            facts.texts[text, other] = verdict.value


def _follow_judge_pairs(facts: Facts, step: Step) -> None:
    pairs, verdict = step.values
    for focal, other in pairs:
        judged: dict[Any, str] = facts.texts if isinstance(focal, str) else facts.judgements
        if verdict is None:
            judged.pop((focal, other), None)
        else:
            judged[focal, other] = verdict.value


def _follow_mark(facts: Facts, step: Step) -> None:
    photos, value = step.values
    for photo in photos:
        rating, label = facts.marks.get(photo, (None, None))
        _mark(facts, photo, *((value, label) if step.kind == "rate" else (rating, value)))


def _follow_together(facts: Facts, step: Step) -> None:
    photos, rating, label = step.values
    for photo in photos:
        _mark(facts, photo, rating, label)


def _mark(facts: Facts, photo: int, rating: int | None, label: str | None) -> None:
    facts.marks.pop(photo, None)
    if (rating, label) != (None, None):
        facts.marks[photo] = rating, label


def _follow_pick(facts: Facts, step: Step) -> None:
    photos, others = step.values
    for photo in photos:
        rating, label = facts.marks.get(photo, (None, None))
        _mark(facts, photo, max(rating or 0, 1), label)
    _reject_photos(facts, others)


def _reject_photos(facts: Facts, photos: tuple[int, ...]) -> None:
    for photo in photos:
        _mark(facts, photo, -1, facts.marks.get(photo, (None, None))[1])


def _follow_merge(facts: Facts, step: Step) -> None:
    kept, others = step.values
    stars = {other: facts.marks.get(other, (None, None))[0] or 0 for other in others}
    for photo in sorted(others, key=lambda each: -stars[each]):
        _change(facts, [(kept, name) for one, name in sorted(facts.tags) if one == photo], TagSource.HAND)
        there = {box[1:3] for box in facts.boxes if box[0] == kept}
        of_photo = [box[1:3] for box in facts.boxes if box[0] == photo]
        facts.boxes += [(kept, *box, False) for box in of_photo if box not in there]
        for refused in [(kept, *box[1:]) for box in facts.refused if box[0] == photo]:
            _refuse(facts, refused)
        rating, label = facts.marks.get(kept, (None, None))
        its_rating, its_label = facts.marks.get(photo, (None, None))
        if rating is None and its_rating != -1:
            rating = its_rating
        _mark(facts, kept, rating, label if label is not None else its_label)
        moved = {tuple(kept if one == photo else one for one in pair): pair for pair in sorted(facts.judgements)}
        for (focal, other), pair in moved.items():
            if focal != other and photo in pair:
                facts.judgements.setdefault((focal, other), facts.judgements[pair])
        swap = {photo: kept}
        related = [
            (swap.get(focal, focal), swap.get(other, other), than if than is None else swap.get(than, than))
            for focal, other, than in facts.relations
        ]
        opposite = {(focal, than, other) for focal, other, than in facts.relations}
        facts.relations |= {told for told in related if len(set(told)) == 3 and told not in opposite}
        for text, other in sorted(facts.texts):
            if other == photo:
                facts.texts.setdefault((text, kept), facts.texts[text, photo])
        for (query, side, other), judged in sorted(facts.judged_regions.items()):
            moved_to = swap.get(query, query), side, swap.get(other, other)
            if photo in (query, other) and moved_to[0] != moved_to[2]:
                facts.judged_regions.setdefault(moved_to, judged)
    _reject_photos(facts, others)


def _follow_keep_apart(facts: Facts, step: Step) -> None:
    facts.apart |= set(combinations(sorted(step.values), 2))


def _follow_keep_trail(facts: Facts, step: Step) -> None:
    facts.trails[step.values[0]] = step.values[1]


def _follow_rename_trail(facts: Facts, step: Step) -> None:
    name, new = step.values
    if name in facts.trails and new not in facts.trails:
        facts.trails[new] = facts.trails.pop(name)


def _follow_delete_trail(facts: Facts, step: Step) -> None:
    facts.trails.pop(step.values[0], None)


def _follow_save_search(facts: Facts, step: Step) -> None:
    facts.searches[step.values[0]] = step.values[1]


def _follow_delete_searches(facts: Facts, step: Step) -> None:
    for name in step.values:
        facts.searches.pop(name, None)


def _follow_region(facts: Facts, step: Step) -> None:
    photo, side = step.values
    facts.regions.pop(photo, None)
    if side is not None:
        facts.regions[photo] = side


def _follow_rotation(facts: Facts, step: Step) -> None:
    photos, by = step.values
    for photo in photos:
        quarters = (facts.turns.pop(photo, 0) + by) % 4
        if quarters:
            facts.turns[photo] = quarters


def _follow_exchange(facts: Facts, step: Step) -> None:
    photos, shared = step.values
    facts.exchanged |= dict.fromkeys(photos, (step.number, shared))


def _follow_audit(facts: Facts, step: Step) -> None:
    tag, photos = step.values
    facts.audit = step.number, tag, dict.fromkeys(photos)


def _follow_answer_audit(facts: Facts, step: Step) -> None:
    if facts.audit is not None:
        number, tag, answers = facts.audit
        facts.audit = number, tag, answers | dict(step.values)


def _follow_answer_and_correct(facts: Facts, step: Step) -> None:
    if facts.audit is None:
        return
    tag = facts.audit[1]
    _follow_answer_audit(facts, step)
    _change(facts, [(photo, tag) for photo, present in step.values if present], TagSource.HAND)
    for photo, present in step.values:
        if not present and (photo, tag) in facts.tags:
            _untag(facts, (photo, tag))
            facts.suggestions[photo, tag] = "rejected"


def _follow_keep_tag(facts: Facts, step: Step) -> None:
    if step.values in facts.tags:
        facts.sure_tags.add(step.values)


def _follow_keep_judgement(facts: Facts, step: Step) -> None:
    if step.values in facts.judgements:
        facts.sure_judgements[step.values] = facts.judgements[step.values]


def _follow_train(facts: Facts, step: Step) -> None:
    facts.current = _metric(step.number)
    facts.metrics.append(facts.current)


def _follow_use(facts: Facts, step: Step) -> None:
    (facts.current,) = step.values


_FOLLOW: Final[dict[str, Callable[[Facts, Step], None]]] = {
    "tag": _follow_tag,
    "import": _follow_import,
    "accept": _follow_accept,
    "reject": _follow_reject,
    "judge": _follow_judge,
    "relate": _follow_relate,
    "judge a text": _follow_judge_a_text,
    "rate": _follow_mark,
    "label": _follow_mark,
    "together": _follow_together,
    "keep trail": _follow_keep_trail,
    "rename trail": _follow_rename_trail,
    "delete trail": _follow_delete_trail,
    "save search": _follow_save_search,
    "delete searches": _follow_delete_searches,
    "region": _follow_region,
    "turn": _follow_rotation,
    "judge regions": _follow_judge_regions,
    "refuse box": _follow_refuse_box,
    "allow box": _follow_allow_box,
    "draw box": _follow_draw_box,
    "move box": _follow_move_box,
    "name box": _follow_name_box,
    "remove box": _follow_remove_box,
    "exchange": _follow_exchange,
    "audit": _follow_audit,
    "judge pairs": _follow_judge_pairs,
    "pick": _follow_pick,
    "merge": _follow_merge,
    "keep apart": _follow_keep_apart,
    "answer audit": _follow_answer_audit,
    "answer and correct": _follow_answer_and_correct,
    "keep tag": _follow_keep_tag,
    "keep judgement": _follow_keep_judgement,
    "train": _follow_train,
    "use": _follow_use,
}


# ---------------------------------------------------------------------- comparison
def differences(library: Library, state: State) -> list[str]:
    """Return the differences between a library and a state; empty if there are none."""
    found = read(library)
    wanted = {
        "tags": state.facts.tags,
        "suggestions": state.facts.suggestions,
        "judgements": state.facts.judgements,
        "relations": state.facts.relations,
        "texts": state.facts.texts,
        "marks": state.facts.marks,
        "trails": state.facts.trails,
        "searches": state.facts.searches,
        "regions": state.facts.regions,
        "turns": state.facts.turns,
        "boxes": state.facts.boxes,
        "exchanged": state.facts.exchanged,
        "judged regions": state.facts.judged_regions,
        "refused": state.facts.refused,
        "audit": state.facts.audit,
        "not duplicates": state.facts.apart,
        "sure tags": state.facts.sure_tags & set(state.facts.tags),  # confirmations of absent tags have no effect
        "sure judgements": dict(state.facts.sure_judgements.items() & state.facts.judgements.items()),
        "metrics": sorted(state.facts.metrics),
        "current": state.facts.current,
        "settings": state.settings,
        "removed": state.removed,
        "photos": state.photos,
        "undo": bool(state.past),
        "redo": bool(state.future),
    }
    return [f"{key}: {found[key]} is not {value}" for key, value in wanted.items() if found[key] != value]


def read(library: Library) -> dict[str, Any]:
    """Return the contents of a library in the form of the model."""
    ids = ids_of(library)
    number = {photo: place for place, photo in enumerate(ids)}
    sources = library.database.rows("SELECT photo_id, name, source FROM photo_tag JOIN tag ON tag.id = tag_id")
    suggestions = library.suggestions.of(ids, state=None)
    names = [metric.name for metric in library.metrics.all()]
    files = [(library.metrics.folder / f"{name}.npz", name) for name in names if name != "euclidean"]
    return {
        "tags": {(number[photo], name): source for photo, name, source in sources},
        "suggestions": {
            (number[one.photo_id], one.tag): one.state.value
            for line in suggestions.values()
            for one in line
            if one.state is not SuggestionState.OPEN
        },
        "judgements": {
            (number[one.focal_id], number[one.other_id]): one.verdict.value for one in library.judgements.all()
        },
        "relations": {
            (number[one.focal_id], number[one.other_id], number.get(one.than_id or -1))
            for one in library.judged_relations.all()
        },
        "texts": {(one.text, number[one.other_id]): one.verdict.value for one in library.text_judgements.all()},
        "marks": {
            number[photo]: (mark.rating, mark.label)
            for photo, mark in library.marks.of(ids).items()
            if mark.rating is not None or mark.label is not None
        },
        "trails": {trail.name: _way(number, trail) for trail in library.trails.all()},
        "searches": {search.name: search.query for search in library.searches.all()},
        "regions": {number[photo]: region.x0 for photo, region in library.regions.all().items()},
        "turns": {number[photo]: quarters for photo, quarters in library.rotations.all().items()},
        "boxes": [
            (number[photo], side, tag, bool(brought))
            for photo, side, tag, brought in library.database.rows(
                "SELECT photo_id, x0, name, brought_tag FROM box LEFT JOIN tag ON tag.id = tag_id ORDER BY box.id"
            )
        ],
        "exchanged": {
            number[photo]: (int(one.at.timestamp()), tuple((tag, region.x0) for tag, region in one.boxes))
            for photo, (one, *_) in ((photo, rows) for photo, rows in library.exchange.of(ids).items() if rows)
        },
        "judged regions": {
            (number[one.photo_id], one.region.x0, number[one.other_id]): (one.other_region.x0, one.verdict.value)
            for one in library.region_judgements.all()
        },
        "refused": [(number[box.photo_id], box.region.x0, box.tag) for box in library.boxes.rejected()],
        "audit": _audit(library, number),
        "not duplicates": {(number[one], number[other]) for one, other in library.not_duplicates.all()},
        "sure tags": {(number[photo], name) for photo, name in library.confirmations.tags()},
        "sure judgements": {
            (number[focal], number[other]): verdict.value
            for (focal, other), verdict in library.confirmations.judgements().items()
        },
        "metrics": sorted(name for name in names if name == "euclidean")
        + sorted(name for path, name in files if path.read_bytes() == _learned(name)),
        "current": library.metrics.current().name,
        "settings": {
            name: int(value)
            for name, value in library.database.rows("SELECT name, value FROM setting WHERE name LIKE 'setting.%'")
        },
        "removed": not library.roots.all(),
        "photos": len(ids),
        "undo": library.journal.undo_label() is not None,
        "redo": library.journal.redo_label() is not None,
    }


def _audit(library: Library, number: dict[int, int]) -> tuple[int, str, dict[int, bool | None]] | None:
    for audit in library.audits.all():
        answers = {number[one.photo_id]: one.present for one in library.audits.drawn()}
        return int(audit.state or "0", 16), audit.tag, answers
    return None


def _way(number: dict[int, int], trail: SavedTrail) -> Way:
    first, second, third = trail.steps
    assert first.focal is not None
    return number[first.focal], tuple(number[photo] for photo in second.like), third.text
