# SPDX-License-Identifier: MIT
"""Translates texts of the lower floors for the window: errors, progress, undo steps, titles.

The floors below the tasks do not use Qt. Their texts are English, as printed by the command line, and keep the template
and the arguments from which this module makes the text in the language of the window (`browser.catalog.text.Text`).
"""

from __future__ import annotations

import re
from typing import Any, Final

from PySide6.QtCore import QCoreApplication

_CONTEXT: Final = "messages"
_VERSION: Final = re.compile(r"(.+)( \(v\d+\))")


class Localized(float):
    """A number formatted with the decimal separator of the window's language: ``3.2``, in German ``3,2``.

    Values that round to zero have no sign: ``0.000``, never ``-0.000``.
    """

    def __format__(self, how: str) -> str:
        """Format the number by the format specification."""
        text = super().__format__(how)
        if not any(digit in text for digit in "123456789"):
            text = text.lstrip("+-")
        return text.replace(".", QCoreApplication.translate("numbers", "."))


def in_words(text: str) -> str:
    """Translate a text of a lower floor to the language of the window.

    Parameters
    ----------
    text : str
        English text. If it has a template and arguments, the template is translated, and so are the arguments that are
        such texts. Otherwise the text itself is translated, also if it ends with a version, as titles of metrics do.
    """
    arguments = getattr(text, "arguments", ())
    if arguments:
        template: str = text.template  # type: ignore[attr-defined]
        return QCoreApplication.translate(_CONTEXT, template).format(*map(_argument, arguments))
    named = _VERSION.fullmatch(text)
    return QCoreApplication.translate(_CONTEXT, text) if named is None else in_words(named[1]) + named[2]


def _argument(value: Any) -> Any:
    if isinstance(value, float):
        return Localized(value)
    return in_words(value) if hasattr(value, "template") else value
