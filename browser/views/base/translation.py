"""The language of the window: Qt's translation files of this program and of Qt itself.

A text has one translation wherever it stands, whatever class it is marked in: all are in one context of the files.
Counts have plural forms in English too (``%n photos``), which a file of their own holds.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from focal_photos import resources

CONTEXT: Final = "focal"
LANGUAGES: Final = ("en", "de")
"""Those that there are translations for."""


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

        What Qt calls the key Return (to tell it from the other Enter) is Enter here, as on keyboards and in the guide.
        """
        if context == "QShortcut" and text == "Return":
            return "Enter"
        return super().translate(CONTEXT, text, disambiguation, n) or None


def language_of(choice: str) -> str:
    """Return the language of the window: the one that was chosen, else the system's, English if there is no other."""
    if choice in LANGUAGES:
        return choice
    for name in QLocale.system().uiLanguages():
        language = name.replace("_", "-").partition("-")[0].lower()
        if language in LANGUAGES:
            return language
    return "en"


def install(app: QCoreApplication, choice: str) -> list[QTranslator]:
    """Let the window speak a language, and return what has to be kept for that.

    Parameters
    ----------
    app : QCoreApplication
    choice : str
        One of `LANGUAGES`; anything else means the system's.
    """
    language = language_of(choice)
    of_qt = QTranslator()
    of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    kept = [of_qt, Translation(language)]
    for each in kept:
        app.installTranslator(each)
    return kept


def remove(app: QCoreApplication, translators: list[QTranslator]) -> None:
    """Take translations out again."""
    for each in translators:
        app.removeTranslator(each)
