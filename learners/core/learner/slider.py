# SPDX-License-Identifier: MIT
"""Sliders of a learner's parameters on the page *Learners* of the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Slider:
    """A parameter that the user sets with a slider.

    Attributes
    ----------
    name : str
        Name of the parameter.
    title, low, high : str
        Label of the slider and of its two ends, in words for the user.
    values : tuple of float
        Positions, from the low to the high end.
    default : float
        Position that stands for a parameter whose default is not a number.
    whole : bool
        Whether the values are whole numbers.
    """

    name: str
    title: str
    low: str
    high: str
    values: tuple[float, ...]
    default: float
    whole: bool = False


BLEND_SLIDER: Final = Slider(
    "euclidean_blend", "Weight of the untrained distance", "learned", "appearance", (0, 0.1, 0.3, 1, 3), 0.3
)
ROUNDS_SLIDER: Final = Slider("rounds", "Rounds", "quick", "thorough", (50, 100, 300, 600, 1000), 300, True)
