"""What a person has answered in the review, as what is asked next counts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from focal_photos.learners.tags.answered import Answered


@dataclass(frozen=True)
class AnsweredTurns:
    """What a person has answered so far, the oldest first: tags, and new kinds."""

    tags: tuple[Answered, ...] = ()
    kinds: tuple[Answered, ...] = ()


NOTHING_YET: Final = AnsweredTurns()
