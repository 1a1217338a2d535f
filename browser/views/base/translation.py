# SPDX-License-Identifier: MIT
"""The language of the window: the translation files of this program and of Qt.

A text has the same translation in all classes, because the files have a single context. Counts have plural forms in
English too (``%n photos``), from a separate file.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from focal_photos import resources

CONTEXT: Final = "focal"
LANGUAGES: Final = ("en", "de")
"""The available languages."""


class Translation(QTranslator):
    """The translation of the program's own texts into one language.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self.load(str(resources.path(f"translations/focal_{language}.qm")))

    def translate(  # None is Qt's null text: not translated
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        """Return the translation of a text of any context; None if there is none.

        The key that Qt calls Return (unlike the other Enter) is called Enter here, as on keyboards and in the guide.
        """
        if context == "QShortcut" and text == "Return":
            return "Enter"
        return super().translate(CONTEXT, text, disambiguation, n) or None


def language_of(choice: str) -> str:
    """Return the language of the window: the chosen one, or the system's, or English."""
    if choice in LANGUAGES:
        return choice
    for name in QLocale.system().uiLanguages():
        language = name.replace("_", "-").partition("-")[0].lower()
        if language in LANGUAGES:
            return language
    return "en"


def install(app: QCoreApplication, choice: str) -> list[QTranslator]:
    """Install the translations of a language, and return the translators, which must stay referenced.

    Parameters
    ----------
    choice : str
        One of `LANGUAGES`; any other value means the system's language.
    """
    language = language_of(choice)
    of_qt = QTranslator()
    of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    translators = [of_qt, Translation(language)]
    for each in translators:
        app.installTranslator(each)
    return translators


def remove(app: QCoreApplication, translators: list[QTranslator]) -> None:
    """Remove translations."""
    for each in translators:
        app.removeTranslator(each)
