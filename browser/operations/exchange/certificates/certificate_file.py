# SPDX-License-Identifier: MIT
"""Write certificates as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import replacing
from focal_photos.browser.catalog.store.timestamps import to_text
from focal_photos.browser.operations.exchange.certificates.certificate_page import certificate_page
from focal_photos.browser.operations.exchange.overwriting import require_replaceable
from focal_photos.browser.operations.jobs.errors import not_written
from focal_photos.browser.operations.tagging.audit.certificate import Certificate, read_certificate
from focal_photos.learners.evaluation.audit import LEVEL, Estimate, TagEstimate

FORMAT: Final = "focal-certificate"
VERSION: Final = 1
NAME: Final = "certificate.json"
"""File name in a data set."""


def as_document(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate as a JSON document."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "level": LEVEL,
        "scope": certificate.scope,
        "photos": certificate.photos,
        "begun": to_text(certificate.begun),
        "out_of_date": certificate.changed,
        "answered": certificate.answered,
        "drawn": certificate.drawn,
        "blind": certificate.blind,
        "total": _estimates(certificate.total),
        "tags": [
            {
                "tag": one.tag,
                "photos": one.photos,
                "answered": one.answered,
                "drawn": one.drawn,
                "wrong_found": one.wrong,
                "missing_found": one.missing,
                "out_of_date": one.changed,
                **_estimates(one.estimate),
                "agreement": one.agreement._asdict(),
            }
            for one in certificate.tags
        ],
        "people": [
            {
                "person": one.name,
                "answers": one.answers._asdict(),
                "precision": one.answers.precision()._asdict(),
                "recall": one.answers.recall()._asdict(),
            }
            for one in certificate.people
        ],
        "agreements": [
            {
                "people": list(one.people),
                "at": to_text(one.at),
                "merged": one.merged,
                "tags": [
                    {
                        "tag": each.tag,
                        "photos": each.photos,
                        "disagreements": each.disagreements,
                        "kappa": each.kappa and Estimate(*each.kappa)._asdict(),
                        "alpha": each.alpha and Estimate(*each.alpha)._asdict(),
                    }
                    for each in one.tags
                ],
            }
            for one in certificate.agreements
        ],
    }


def as_json(certificate: Certificate) -> str:
    """Return a certificate as JSON text that ends with a line break."""
    return json.dumps(as_document(certificate), ensure_ascii=False, indent=2) + "\n"


def write_certificate(
    library: Library,
    certificate: Certificate,
    file: Path,
    *,
    force: bool = False,
    say: Callable[[str], str] = str,
) -> None:
    """Write a certificate, as a page if the file name ends with ``.html``, otherwise as JSON.

    Parameters
    ----------
    force : bool
        Whether to replace files of other kinds too.
    say : callable
        Translates an English text of the page.

    Raises
    ------
    OperationError
        If the file may not or cannot be written.
    """
    page = file.suffix.lower() in (".html", ".htm")
    text = certificate_page(certificate, library.name, say) if page else as_json(certificate)
    try:
        require_replaceable(library, file, (".html", ".htm") if page else (".json",), force=force)
        with replacing(file, follow_link=True) as part:
            part.write_text(text, encoding="utf-8")
    except OSError as error:
        raise not_written(file, error) from error


def save_beside(library: Library, folder: Path) -> bool:
    """Write the certificate of the tags to the folder of a data set; return whether there is one."""
    certificate = read_certificate(library)
    if certificate is not None:
        (folder / NAME).write_text(as_json(certificate), encoding="utf-8")
    return certificate is not None


def _estimates(one: TagEstimate) -> dict[str, dict[str, float]]:
    return {name: getattr(one, name)._asdict() for name in ("precision", "missing", "recall")}
