# SPDX-License-Identifier: MIT
"""A certificate as a single HTML page without other files, which can be printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, isnan
from typing import Final

from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.tagging.audit.certificate import Certificate, Person, TagCertificate
from focal_photos.learners.evaluation.audit import Estimate, TagEstimate

TITLE: Final = Text("How good are the tags?")
LIBRARY: Final = Text("the whole library")
CHANGED: Final = Text("Out of date: tags have changed since the audit. Audit again for current figures.")
ALL_TAGS: Final = Text("All these tags together")
COLUMNS: Final = (
    Text("Tag"),
    Text("Photos"),
    Text("Answers"),
    Text("Right, of the tagged"),
    Text("Still missing"),
    Text("Found, of all"),
    Text("Agreement (kappa)"),
)
EXPLANATION: Final = Text(
    "Ranges contain the true value with a probability of 95 %. They are estimated from the answers to photos "
    "that were drawn at random from strata of confidence, by a beta-binomial model. Corrections made during "
    "the audit are included."
)
KAPPA: Final = Text("Kappa compares tags with answers: 1 if all are equal, 0 if they are as equal as by chance.")
BLIND: Final = Text("The answers were given without seeing the tags, so that kappa measures self-agreement.")
PEOPLE: Final = Text("Who answered? Measured on planted photos with known answers")
PEOPLE_COLUMNS: Final = (
    Text("Person"),
    Text("Answers"),
    Text("Right, of the tagged"),
    Text("Found, of all"),
)
AGREEMENT_COLUMNS: Final = (
    Text("Tag"),
    Text("Photos"),
    Text("Differ"),
    Text("Kappa"),
    Text("Krippendorff's alpha"),
)
ALPHA: Final = Text(
    "Here kappa compares the tags of these people with each other. Alpha also uses photos that some of them have not "
    "answered."
)
MERGED: Final = Text("The tags of one of them were merged here before, so they are not independent.")
WRITTEN_BY: Final = Text("Written by Focal")

_NUMBERS: Final = (*COLUMNS[1:3], COLUMNS[4], AGREEMENT_COLUMNS[2])
"""Columns that are aligned to the right."""

_STYLE: Final = """
:root { color-scheme: light dark; --ground: #fff; --text: #1c1e22; --soft: #5c626b; --line: #d9dce1;
  --bar: #2f7d4f; --track: #e9ebee; --warn: #9a5b00; }
@media (prefers-color-scheme: dark) { :root { --ground: #1b1d21; --text: #eceef1; --soft: #a2a9b3; --line: #3a3f47;
  --bar: #5cb583; --track: #2d3138; --warn: #e0a44c; } }
@media print { :root { --ground: #fff; --text: #000; --soft: #444; --line: #bbb; --bar: #2f7d4f; --track: #e9ebee;
  --warn: #7a4500; } tr { break-inside: avoid; } thead { display: table-header-group; } }
* { box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.2rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } .soft { color: var(--soft); } .warn { color: var(--warn); }
h2 { font-size: 1.1rem; margin: 1.6rem 0 0; } p { margin: .35rem 0; } .lead { font-size: 1.2rem; margin: 1.2rem 0; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .45rem .7rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; } th.number, td.number { text-align: right; padding-right: 1.3rem; }
  td { white-space: nowrap; } td:first-child { white-space: normal; width: 30%; }
table:first-of-type tr:last-child td { font-weight: 600; }
.track { position: relative; height: .4rem; min-width: 7rem; margin-top: .25rem; border-radius: .2rem;
  background: var(--track); }
.range { position: absolute; top: 0; bottom: 0; background: var(--bar); border-radius: .2rem; min-width: 2px; }
@media screen and (max-width: 45rem) { table, tbody { display: block; } thead { display: none; }
  tr { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem 1rem; padding: .6rem 0;
    border-bottom: 1px solid var(--line); }
  td, td.number { padding: 0; border: 0; text-align: left; }
  td:first-child { grid-column: 1 / -1; width: auto; font-weight: 600; }
  td:empty { display: none; } td:first-child::before { content: none !important; }
  td::before { content: attr(data-column); display: block; color: var(--soft); font: .8rem system-ui; } }
"""


def certificate_page(certificate: Certificate, library: str, say: Callable[[str], str] = str) -> str:
    """Return a certificate as HTML."""
    scope = Text("{0} photos: {1}", certificate.photos, certificate.scope or LIBRARY)
    begun, tags = f"{certificate.begun:%Y-%m-%d}", len(certificate.tags)
    answered = Text("{0} answers to an audit of {1}, drawn at random for {2} tags", certificate.answered, begun, tags)
    warning = f'<p class="warn">* {escape(say(CHANGED))}</p>' if certificate.changed else ""
    blind = f" {escape(say(BLIND))}" if certificate.blind else ""
    return f"""<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(library)}: {escape(say(TITLE))}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(say(TITLE))}</h1>
<p class="soft">{escape(library)} &middot; {escape(say(scope))}</p>
<p class="soft">{escape(say(answered))}</p>
{warning}
<p class="lead">{escape(sentence(certificate, say))}</p>
{_tags(certificate, say)}{_people(certificate, say)}{_agreements(certificate, say)}
<p class="soft">{escape(say(EXPLANATION))}</p>
<p class="soft">{escape(say(KAPPA))}{blind}</p>
<p class="soft">{escape(say(WRITTEN_BY))}</p>
</body>
</html>
"""


def sentence(certificate: Certificate, say: Callable[[str], str] = str) -> str:
    """Return the lower limits of precision and recall of all audited tags in words."""
    shares = [floor(100 * one.low + 1e-9) for one in (certificate.total.precision, certificate.total.recall)]
    if len(certificate.tags) == 1:
        text = Text(
            "At least {0} % of the photos tagged {2} should have the tag, and at least {1} % of the photos that should "
            "have it do.",
            *shares,
            certificate.tags[0].tag,
        )
    else:
        text = Text(
            "At least {0} % of the given tags are right, and at least {1} % of the tags that photos should have are "
            "given.",
            *shares,
        )
    return say(text)


def percent(one: Estimate) -> str:
    """Return a share as "97 % (94 to 99)", with the interval rounded outwards."""
    low, high = floor(100 * one.low + 1e-9), ceil(100 * one.high - 1e-9)
    return f"{round(100 * one.value)} % ({low}\N{EN DASH}{high})"


def count(one: Estimate) -> str:
    """Return a number of photos as "3 (0 to 9)"."""
    return f"{round(one.value)} ({round(one.low)}\N{EN DASH}{round(one.high)})"


def kappa(limits: tuple[float, float, float] | None) -> str:
    """Return a kappa with its limits as "0.83 (0.71 to 0.92)"; a dash if it is not defined."""
    if limits is None or isnan(limits[0]):
        return "\N{EN DASH}"
    value, low, high = limits
    return f"{value:.2f} ({low:.2f}\N{EN DASH}{high:.2f})"


def estimate_texts(one: TagEstimate) -> tuple[str, str, str]:
    """Return precision, missing photos and recall as texts, with their intervals."""
    return percent(one.precision), count(one.missing), percent(one.recall)


def person_texts(one: Person) -> tuple[str, str, str]:
    """Return the number of an annotator's answers to planted photos, precision and recall as texts."""
    return str(sum(one.answers)), percent(one.answers.precision()), percent(one.answers.recall())


def _people(certificate: Certificate, say: Callable[[str], str]) -> str:
    if not certificate.people:
        return ""
    rows = [(escape(one.name), *person_texts(one)) for one in certificate.people]
    return f"<h2>{escape(say(PEOPLE))}</h2>\n{_table(PEOPLE_COLUMNS, rows, say)}"


def _agreements(certificate: Certificate, say: Callable[[str], str]) -> str:
    """Return a table of the agreement with each of the other annotators, the latest first."""
    found = ""
    for one in reversed(certificate.agreements):
        title = Text("Agreement of {0} on {1}", ", ".join(one.people), f"{one.at:%Y-%m-%d}")
        rows = [
            (
                escape(each.tag),
                str(each.photos),
                str(each.disagreements),
                kappa(each.kappa),
                kappa(each.alpha),
            )
            for each in one.tags
        ]
        note = f"{say(ALPHA)} {say(MERGED)}" if one.merged else say(ALPHA)
        found += f"<h2>{escape(say(title))}</h2>\n{_table(AGREEMENT_COLUMNS, rows, say)}"
        found += f'<p class="soft">{escape(note)}</p>\n'
    return found


def _tags(certificate: Certificate, say: Callable[[str], str]) -> str:
    rows = [_row(one) for one in certificate.tags]
    photos = sum(one.photos for one in certificate.tags)
    total = str(photos), str(certificate.answered), *_estimates(certificate.total), ""
    return _table(COLUMNS, [*rows, (escape(say(ALL_TAGS)), *total)], say)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], say: Callable[[str], str]) -> str:
    """Return a table of HTML cells; a small screen shows each row as a block, with the names of the columns."""
    names = [escape(say(name)) for name in columns]
    kinds = [' class="number"' if name in _NUMBERS else "" for name in columns]
    heads = "".join(f'<th{kind} scope="col">{name}</th>' for kind, name in zip(kinds, names, strict=True))
    body = ""
    for row in rows:
        cells = "".join(
            f'<td{kind} data-column="{name}">{cell}</td>' for kind, name, cell in zip(kinds, names, row, strict=True)
        )
        body += f"<tr>{cells}</tr>\n"
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def _row(one: TagCertificate) -> tuple[str, ...]:
    name = escape(one.tag) + (" *" if one.changed else "")
    return name, str(one.photos), str(one.answered), *_estimates(one.estimate), kappa(one.agreement)


def _estimates(found: TagEstimate) -> tuple[str, str, str]:
    precision, missing, recall = estimate_texts(found)
    return precision + _bar(found.precision), missing, recall + _bar(found.recall)


def _bar(one: Estimate) -> str:
    left, width = 100 * one.low, 100 * (one.high - one.low)
    return f'<div class="track"><div class="range" style="left:{left:.1f}%;width:{width:.1f}%"></div></div>'
