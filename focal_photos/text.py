# SPDX-License-Identifier: MIT
"""English texts for the user that the window can translate: a template and its arguments."""

from __future__ import annotations

from typing import Self


class Text(str):
    """An English text that remembers its template and arguments, from which the window translates it.

    ``str(error)`` of an error with such a text returns it with both, and pickling preserves them.

    Parameters
    ----------
    template : str
        Literal text with fields of `str.format`, such as ``{0}`` or ``{1:.1f}``; without arguments, not formatted.
    *arguments : object
        Values of the fields. The window translates those that are texts, and localises numbers.

    Examples
    --------
    >>> text = Text("{0} has {1} photos.", "sea", 2)
    >>> text, text.template, text.arguments
    ('sea has 2 photos.', '{0} has {1} photos.', ('sea', 2))
    """

    template: str
    arguments: tuple[str | int | float, ...]

    def __new__(cls, template: str, *arguments: object) -> Self:
        """Format the template."""
        text = super().__new__(cls, template.format(*arguments) if arguments else template)
        text.template = template
        text.arguments = tuple(one if isinstance(one, str | int | float) else str(one) for one in arguments)
        return text

    def __str__(self) -> str:
        """Return the text with its template and arguments."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the template and the arguments."""
        return type(self), (self.template, *self.arguments)


class TextError(Exception):
    """An error with a text for the user.

    Parameters
    ----------
    *arguments : object
        As in `Text`.
    """

    def __init__(self, template: str, *arguments: object) -> None:
        super().__init__(Text(template, *arguments) if arguments else template)
