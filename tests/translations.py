# SPDX-License-Identifier: MIT
"""Updates the translations in ``resources/translations`` from the texts of the window.

``python -m tests.translations`` reads the marked texts of ``browser`` (``tr``, ``translate``, ``QT_TRANSLATE_NOOP``,
titles and explanations of settings), the templates of the lower floors (see `texts_below`), and the descriptions of
learners, descriptors and formats. It rewrites the ``.ts`` files with their existing translations, compiles them, and
prints the untranslated texts. Texts that are no longer marked are removed. Translate with ``pyside6-linguist``.

Qt's own extraction misreads ``\N{HORIZONTAL ELLIPSIS}``, and gives each class a separate context; here all texts share
one context, see `browser.views.base.translation`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.training.learner_table import AUTOMATIC, learner_table
from focal_photos.browser.views.base.translation import CONTEXT, LANGUAGES
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS
from focal_photos.learners import LEARNERS

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
PLURALS = {"en": 2, "de": 2}


def marked() -> dict[str, bool]:
    """Return the marked texts in the order of the code, each with whether it has plural forms."""
    found: dict[str, bool] = {}
    for path in sorted((ROOT / "browser").rglob("*.py")):
        for text in _marked_in(ast.parse(path.read_text(encoding="utf-8"))):
            found[text] = "%n" in text
    return found | dict.fromkeys(chain(texts_below(), _said_of_themselves()), False)


def texts_below() -> Iterator[str]:
    """Yield the literal templates of the floors below the tasks."""
    for template in templates():
        for part in (template.body, template.orelse) if isinstance(template, ast.IfExp) else (template,):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


@cache
def templates() -> tuple[ast.expr, ...]:
    """Return templates in calls of `Text`, of `counted`, and of errors derived from `TextError` or `PluginError`."""
    folders = (ROOT / "browser" / "catalog", ROOT / "browser" / "operations", ROOT / "features")
    paths = [path for each in folders for path in sorted(each.rglob("*.py"))]
    paths += [ROOT / "focal_photos" / "plugin_registry.py", ROOT / "learners" / "core" / "learner" / "plugin_check.py"]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.Call)]
    makers, before = {"Text", "TextError", "PluginError"}, 0
    while len(makers) > before:
        before = len(makers)
        for node in nodes:
            if isinstance(node, ast.ClassDef) and any(_name(base) in makers for base in node.bases):
                makers.add(node.name)
    found: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Call) and _name(node.func) in makers:
            found += node.args[:1]
        elif isinstance(node, ast.Call) and _name(node.func) == "counted":
            found += node.args[1:]
    return tuple(found)


def _name(node: ast.expr) -> str:
    """Return the name that an expression ends with: ``f`` of ``f`` and ``module.f``."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _said_of_themselves() -> Iterator[str]:
    """Yield the titles and descriptions of learners, their parameters, descriptors and formats."""
    for info in (AUTOMATIC, *learner_table()):
        yield from filter(None, (info.title, info.family, info.text, info.needs))
        if info.source[:1].islower():  # more than names and a year
            yield info.source
    for slider in chain.from_iterable(kind.sliders for kind in LEARNERS.values()):
        yield from (slider.title, slider.low, slider.high)
    yield from ("Euclidean", LEARNERS["euclidean"].title)
    for one in (*DESCRIPTORS.values(), *CODE_DESCRIPTORS.values(), *LOCAL_DESCRIPTORS.values()):
        yield one.title
    for form in FORMATS.values():
        yield form.title


def _marked_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = _name(node.func.value if isinstance(node.func, ast.Subscript) else node.func)  # Setting[bool](...)
        texts: list[ast.expr] = []
        if name == "tr":
            texts = node.args[:1]
        elif name in ("translate", "QT_TRANSLATE_NOOP", "_action"):
            texts = node.args[1:2]
        elif name == "Setting":
            texts = node.args[1:3]
        for each in texts:
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.strip():
                yield each.value


def translations(language: str) -> dict[str, list[str]]:
    """Return the translated forms of each text in a file: one form, or the singular and the plural."""
    path = FOLDER / f"focal_{language}.ts"
    if not path.exists():
        return {}
    found = {}
    for message in ElementTree.parse(path).iter("message"):
        source, translation = message.findtext("source") or "", message.find("translation")
        if translation is not None:
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            if all(forms):
                found[source] = forms
    return found


def expected(language: str) -> dict[str, bool]:
    """Return the texts that a language has to translate; for English only those with plural forms."""
    return {text: plural for text, plural in marked().items() if plural or language != "en"}


def write(language: str, texts: dict[str, list[str]]) -> list[str]:
    """Write the file of a language and return its untranslated texts."""
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ElementTree.SubElement(root, "context")
    ElementTree.SubElement(context, "name").text = CONTEXT
    lacking = []
    for source, plural in sorted(expected(language).items()):
        message = ElementTree.SubElement(context, "message", {"numerus": "yes"} if plural else {})
        ElementTree.SubElement(message, "source").text = source
        translation = ElementTree.SubElement(message, "translation")
        forms = texts.get(source, [])
        if len(forms) != (PLURALS[language] if plural else 1):
            forms = []
            translation.set("type", "unfinished")
            lacking.append(source)
        if plural:
            for number in range(PLURALS[language]):
                ElementTree.SubElement(translation, "numerusform").text = forms[number] if forms else ""
        else:
            translation.text = forms[0] if forms else ""
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    (FOLDER / f"focal_{language}.ts").write_text(f"{head}{text}\n", encoding="utf-8")
    return lacking


def compile_to(language: str, target: Path) -> None:
    """Compile the translation file of a language."""
    tool = Path(sys.executable).with_name("pyside6-lrelease")
    source = FOLDER / f"focal_{language}.ts"
    subprocess.run([tool, "-silent", "-removeidentical", source, "-qm", target], check=True)


def main() -> None:
    for language in LANGUAGES:
        lacking = write(language, translations(language))
        compile_to(language, FOLDER / f"focal_{language}.qm")
        print(f"{language}: {len(expected(language))} texts, {len(lacking)} of them not translated")
        for text in lacking[:20]:
            print(f"  {text!r}")


if __name__ == "__main__":
    main()
