# SPDX-License-Identifier: MIT
"""Export and import of an audit: a record for each tag, and one for each photo drawn for a tag."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, PersonAnswers, TagAudit
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.operations.tagging.audit.audited_state import audited_state, portable_state
from focal_photos.browser.operations.tagging.audit.certificate import own_answers
from focal_photos.browser.operations.tagging.audit.take_audit import inconsistency, take_audit

Line = Mapping[str, Any]


def audit_records(
    library: Library, photo_records: Callable[[Library, Sequence[int]], dict[int, dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    """Yield a record of each tag of the audit, then one of each drawn photo, in the order of the questions.

    Before them come the answers of each annotator to planted photos.

    Parameters
    ----------
    photo_records : callable
        Returns the fields that identify photos in another library.
    """
    audits, drawn = library.audits.all(), library.audits.drawn()
    own = own_answers(library)
    for person in [*library.audits.people(), *([] if own is None else [own])]:
        yield {"person": person.person, "at": person.at.isoformat(), "counts": list(person.counts)}
    if not audits:
        return
    tags, whole = [audit.tag for audit in audits], not audits[0].scope
    states = audited_state(library, tags, drawn, whole=whole)
    portable = portable_state(library, tags, drawn, whole=whole)
    for audit in audits:
        yield {
            "tag": audit.tag,
            "scope": audit.scope,
            "photos": audit.photos,
            "exclusive": audit.exclusive,
            "strata": [list(stratum) for stratum in audit.strata],
            "state": portable[audit.tag] if states[audit.tag] == audit.state else "",
            "at": audit.at.isoformat(),
            **({"blind": True} if audit.blind else {}),
        }
    photos = photo_records(library, sorted({one.photo_id for one in drawn}))
    for one in drawn:
        yield {"tag": one.tag, "photo": photos[one.photo_id], "stratum": one.stratum, "present": one.present}


def take_audit_records(library: Library, lines: Iterable[Line], find: Callable[[object], int | None]) -> None:
    """Add an audit from the records of another library; see `take_audit`.

    Photos that this library lacks, and repeated ones, are left out of the sample and of their strata. If a record is
    invalid, or if records contradict each other, nothing is added.
    """
    audits: dict[str, TagAudit] = {}
    portable: dict[str, str] = {}
    drawn: list[DrawnPhoto] = []
    absent: list[DrawnPhoto] = []
    people: list[PersonAnswers] = []
    found: set[tuple[str, int]] = set()
    try:
        for line in lines:
            if "person" in line:
                people.append(_person(line))
                continue
            tag = normalise(line["tag"])
            if "strata" in line:
                audits[tag], portable[tag] = _audit(tag, line), str(line["state"])
                continue
            photo_id, stratum, present = find(line["photo"]), line["stratum"], line["present"]
            if type(stratum) is not int or not (present is None or isinstance(present, bool)):
                return
            if photo_id is None or (tag, photo_id) in found:
                absent.append(DrawnPhoto(tag, -1 - len(absent), stratum, present))
            else:
                found.add((tag, photo_id))
                drawn.append(DrawnPhoto(tag, photo_id, stratum, present))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, TagNameError):
        return
    library.audits.add_people([one for one in people if one.person != library.name])
    if inconsistency(list(audits.values()), [*drawn, *absent]) is None:
        take_audit(library, [_without(audit, absent) for audit in audits.values()], drawn, portable)


def _audit(tag: str, line: Line) -> TagAudit:
    """Read the record of a tag; raise KeyError, TypeError or ValueError if it is invalid."""
    scope, photos, exclusive = line["scope"], line["photos"], line["exclusive"]
    if not isinstance(scope, str) or type(photos) is not int or not isinstance(exclusive, bool):
        raise TypeError("no audit")
    scope.encode()  # lone surrogates cannot be stored
    strata = tuple(AuditStratum(*stratum) for stratum in line["strata"])
    at, blind = timestamps.from_text(line["at"]), line.get("blind") is True
    return TagAudit(tag, scope, photos, exclusive, strata, "", at, blind)


def _person(line: Line) -> PersonAnswers:
    """Read an annotator's answers to planted photos; for errors see `_audit`."""
    person, counts = line["person"], line["counts"]
    if not isinstance(person, str) or len(counts) != 4 or any(type(one) is not int or one < 0 for one in counts):
        raise TypeError("no answers")
    person.encode()
    return PersonAnswers(person, timestamps.from_text(line["at"]), tuple(counts))


def _without(audit: TagAudit, absent: Sequence[DrawnPhoto]) -> TagAudit:
    """Return an audit whose strata lack some photos."""
    lost = [one.stratum for one in absent if one.tag == audit.tag]
    strata = tuple(each._replace(photos=each.photos - lost.count(each.number)) for each in audit.strata)
    return audit._replace(strata=strata)
