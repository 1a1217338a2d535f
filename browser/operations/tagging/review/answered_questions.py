# SPDX-License-Identifier: MIT
"""The user's answers in the review, as used for the next questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from focal_photos.learners.tags.confidence.answered import Answered


@dataclass(frozen=True)
class AnsweredQuestions:
    """The user's answers, oldest first, about tags and about new kinds."""

    tags: tuple[Answered, ...] = ()
    kinds: tuple[Answered, ...] = ()


NOTHING_YET: Final = AnsweredQuestions()
