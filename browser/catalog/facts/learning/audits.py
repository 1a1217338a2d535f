# SPDX-License-Identifier: MIT
"""Audits of tags: randomly drawn photos, and the user's answers whether they should carry the tag."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.tags import intern
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.errors import LibraryError, reading_value
from focal_photos.browser.catalog.store.journal import AGREEMENTS, BLIND, PEOPLE, Action
from focal_photos.browser.catalog.text import Text, counted


class AuditStratum(NamedTuple):
    """The photos of one stratum when the audit began."""

    number: int
    """Number of the stratum from `learners.evaluation.audit.strata_of`."""
    photos: int
    confidence: float
    """Mean confidence of the tag, 0..1."""


class TagAudit(NamedTuple):
    """The audit of one tag."""

    tag: str
    scope: str
    """Query that selected the photos."""
    photos: int
    """Number of photos that matched `scope`."""
    exclusive: bool
    """Whether each photo was to have at most one tag."""
    strata: tuple[AuditStratum, ...]
    state: str
    """Digest of the photos and their tags, to detect later changes; empty if they have changed."""
    at: datetime
    """Start of the audit."""
    blind: bool = False
    """Whether the questions hide the tags, and the answers do not change them; the same for all tags."""


class DrawnPhoto(NamedTuple):
    """A photo that was drawn for a tag."""

    tag: str
    photo_id: int
    stratum: int
    present: bool | None = None
    """Whether the photo should carry the tag; None: not yet answered."""


class PersonAnswers(NamedTuple):
    """Counts of an annotator's answers to photos with known answers."""

    person: str
    """Name of the annotator's library."""
    at: datetime
    """Start of the audit."""
    counts: tuple[int, int, int, int]
    """See `learners.evaluation.audit.KnownAnswers`."""


class TagAgreementRecord(NamedTuple):
    """Recorded agreement of several annotators on one tag."""

    tag: str
    photos: int
    """Number of photos that at least two annotators answered."""
    disagreements: int
    """Number of photos on which two annotators differ."""
    kappa: tuple[float, float, float] | None
    """Cohen's kappa of two annotators or Fleiss' kappa of several: value, low, high. None: undefined."""
    alpha: tuple[float, float, float] | None
    """Krippendorff's alpha: value, low, high. None: undefined."""


class AgreementRecord(NamedTuple):
    """Recorded agreement of several annotators."""

    people: tuple[str, ...]
    """Names of the annotators' libraries; that of this library comes first."""
    at: datetime
    """Time of the comparison."""
    merged: bool
    """Whether one of the other libraries had been merged before, so that its tags are not independent."""
    tags: tuple[TagAgreementRecord, ...]


class NotDrawnError(LibraryError):
    """An answered photo was not drawn for the audit of the tag."""


_MOST_AGREEMENTS: Final = 100


class Audits(JournaledFacts):
    """The library's audits: for each tag the latest audit that includes it."""

    # ------------------------------------------------------------------ reading
    @property
    def blind(self) -> bool:
        """Whether the questions hide the tags."""
        return self._database.row("SELECT 1 FROM setting WHERE name = ?", (BLIND,)) is not None

    def all(self) -> list[TagAudit]:
        """Return the audits of all tags, sorted by name."""
        rows = self._database.rows(
            "SELECT name, scope, photos, exclusive, strata, state, at FROM audit JOIN tag ON tag.id = tag_id "
            "ORDER BY name"
        )
        blind = self.blind
        with reading_value("an audit"):
            return [
                TagAudit(
                    name,
                    scope,
                    photos,
                    bool(exclusive),
                    tuple(AuditStratum(*stratum) for stratum in json.loads(strata)),
                    state,
                    timestamps.from_text(at),
                    blind,
                )
                for name, scope, photos, exclusive, strata, state, at in rows
            ]

    def drawn(self) -> list[DrawnPhoto]:
        """Return the drawn photos, by tag name and then in the order of the questions."""
        rows = self._database.rows(
            "SELECT name, photo_id, stratum, present FROM audited JOIN tag ON tag.id = tag_id ORDER BY name, place"
        )
        return [
            DrawnPhoto(name, photo_id, stratum, None if present is None else bool(present))
            for name, photo_id, stratum, present in rows
        ]

    def people(self) -> list[PersonAnswers]:
        """Return the answers of other annotators to planted photos, by name; invalid entries are left out."""
        row = self._database.row("SELECT value FROM setting WHERE name = ?", (PEOPLE,))
        found = []
        with suppress(ValueError, TypeError, RecursionError):
            for person, at, (found_, missed, wrong, refused) in [] if row is None else json.loads(row[0]):
                counts = int(found_), int(missed), int(wrong), int(refused)
                found.append(PersonAnswers(str(person), timestamps.from_text(at), counts))
        return found

    def agreements(self) -> list[AgreementRecord]:
        """Return the recorded agreements with other annotators, oldest first; invalid entries are left out."""
        row = self._database.row("SELECT value FROM setting WHERE name = ?", (AGREEMENTS,))
        found = []
        with suppress(ValueError, TypeError, RecursionError):
            for people, at, merged, tags in [] if row is None else json.loads(row[0]):
                each = tuple(
                    TagAgreementRecord(str(tag), int(photos), int(differ), _limits(kappa), _limits(alpha))
                    for tag, photos, differ, kappa, alpha in tags
                )
                found.append(AgreementRecord(tuple(map(str, people)), timestamps.from_text(at), merged is True, each))
        return found

    # ------------------------------------------------------------------ writing
    def add_agreement(self, one: AgreementRecord) -> ChangeSet:
        """Record the agreement with other annotators, replacing an earlier record of the same ones; journaled."""
        every = [*(other for other in self.agreements() if other.people != one.people), one][-_MOST_AGREEMENTS:]
        names = ", ".join(one.people[1:])
        with self._journal.action(Text("Record the agreement with {0}", names)) as action:
            rows = [(each.people, timestamps.to_text(each.at), each.merged, each.tags) for each in every]
            action.put("setting", {"name": AGREEMENTS}, {"value": json.dumps(rows)})
        return action.changes

    def add_people(self, people: Sequence[PersonAnswers]) -> ChangeSet:
        """Add the answers of other people to planted photos; of one annotator, the latest audit stays; journaled."""
        latest = {one.person: one for one in sorted([*self.people(), *people], key=lambda one: (one.at, one.counts))}
        with self._journal.action(Text("Add answers of other people")) as action:
            rows = [(one.person, timestamps.to_text(one.at), one.counts) for _, one in sorted(latest.items())]
            if people:
                action.put("setting", {"name": PEOPLE}, {"value": json.dumps(rows)})
        return action.changes

    def begin(self, audits: Sequence[TagAudit], drawn: Sequence[DrawnPhoto]) -> ChangeSet:
        """Begin an audit, replacing the earlier one and its answers; journaled.

        Parameters
        ----------
        audits : sequence of TagAudit
            Audits; `at` is ignored.
        drawn : sequence of DrawnPhoto
            Drawn photos in the order of the questions.
        """
        tag_count = len({one.tag for one in drawn})
        with self._journal.action(Text("Start audit: {0}", counted(tag_count, "1 tag", "{0} tags"))) as action:
            self._drop(action)
            now = timestamps.now()
            self._put(action, [audit._replace(at=now) for audit in audits], drawn)
        return action.changes

    def keep(self, audits: Sequence[TagAudit], drawn: Sequence[DrawnPhoto]) -> ChangeSet:
        """Add an audit from another library with its date, to a library without one; journaled.

        Parameters
        ----------
        drawn : sequence of DrawnPhoto
            In the order of the questions, with the answers.
        """
        with self._journal.action(Text("Add audit")) as action:
            self._put(action, audits, drawn)
        return action.changes

    def _put(self, action: Action, audits: Sequence[TagAudit], drawn: Sequence[DrawnPhoto]) -> None:
        self._require_known({one.photo_id for one in drawn})
        ids = intern(action.connection, [audit.tag for audit in audits])
        for audit in audits:
            values = {
                "scope": audit.scope,
                "photos": audit.photos,
                "exclusive": int(audit.exclusive),
                "strata": json.dumps(audit.strata),
                "state": audit.state,
                "at": timestamps.to_text(audit.at),
            }
            action.put("audit", {"tag_id": ids[audit.tag]}, values)
        if audits and audits[0].blind:
            action.put("setting", {"name": BLIND}, {"value": "true"})
        for place, one in enumerate(drawn):
            present = None if one.present is None else int(one.present)
            values = {"stratum": one.stratum, "place": place, "present": present}
            action.put("audited", {"tag_id": ids[one.tag], "photo_id": one.photo_id}, values)

    def answer(self, tag: str, present: Mapping[int, bool]) -> ChangeSet:
        """Record whether photos drawn for a tag should carry it; journaled.

        Parameters
        ----------
        present : mapping of int to bool
            Answers by photo id.

        Raises
        ------
        NotDrawnError
            If a photo was not drawn for this tag, or another audit has begun meanwhile.
        """
        count = counted(len(present), "1 photo", "{0} photos")
        with self._journal.action(Text("Audit {0}: {1}", tag, count)) as action:
            drawn = {
                photo_id: tag_id
                for tag_id, photo_id in action.connection.execute(
                    "SELECT tag_id, photo_id FROM audited JOIN tag ON tag.id = tag_id WHERE name = ?", (tag,)
                )
            }
            if not drawn.keys() >= present.keys():
                raise NotDrawnError("The audit of {0} has changed: open it again.", tag)
            for photo_id, answer in present.items():
                action.put("audited", {"tag_id": drawn[photo_id], "photo_id": photo_id}, {"present": int(answer)})
        return action.changes

    @staticmethod
    def _drop(action: Action) -> None:
        for tag_id, photo_id in action.connection.execute("SELECT tag_id, photo_id FROM audited").fetchall():
            action.put("audited", {"tag_id": tag_id, "photo_id": photo_id}, None)
        for (tag_id,) in action.connection.execute("SELECT tag_id FROM audit").fetchall():
            action.put("audit", {"tag_id": tag_id}, None)
        if action.connection.execute("SELECT 1 FROM setting WHERE name = ?", (BLIND,)).fetchone():
            action.put("setting", {"name": BLIND}, None)


def _limits(found: Any) -> tuple[float, float, float] | None:
    """Return a value with its limits; None if it is undefined."""
    return None if found is None else (float(found[0]), float(found[1]), float(found[2]))
