# SPDX-License-Identifier: MIT
"""The README and the guide agree with the code: tables, commands, options, settings, keys, paths and links."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from importlib.util import find_spec

import pytest

from focal_photos.browser.catalog.facts.query.syntax import FLAGS, KEYS, parse
from focal_photos.browser.cli.arguments import common
from focal_photos.browser.cli.commands import COMMANDS
from focal_photos.browser.cli.grammar import command_parser
from focal_photos.browser.cli.grammar import parse as parse_command_line
from focal_photos.browser.models.help.guide import make_anchor
from focal_photos.browser.operations.describing.settings import SETTINGS
from tests.guide import (
    GUIDE,
    README,
    ROOT,
    TABLES,
    cells_in,
    chapters,
    headings,
    rows_of_commands,
    text_of,
    with_tables,
)
from tests.guide_in_german import in_german, keys_in_english
from tests.translations import translations

CHAPTERS = {file.name: file.read_text(encoding="utf-8") for file in sorted(GUIDE.glob("*.md"))}
FIRST_PAGE = README.read_text(encoding="utf-8")
TEXT = "\n\n".join([FIRST_PAGE, *CHAPTERS.values()])
COMMON = {option for action in common()._actions for option in action.option_strings} | {"-h", "--help", "--wait"}


def options_of(command: str) -> set[str]:
    (subparsers,) = (one for one in command_parser([command])._actions if isinstance(one.choices, dict))
    assert isinstance(subparsers.choices, dict)
    actions = subparsers.choices[command]._actions
    return {option for action in actions if action.help != "==SUPPRESS==" for option in action.option_strings} - COMMON


def paragraphs_about(command: str) -> str:
    """Return the text about a command: its row, and the paragraphs and lists that name it."""
    parts = [*rows_of_commands()[command][:2]]
    parts += [part for part in re.split(r"\n\n", TEXT) if f"focal {command} " in part and not part.startswith("|")]
    return "\n".join(parts)


# ---------------------------------------------------------------- tables
def in_all_languages(*names: str) -> list[str]:
    """Return the paths of chapters and of their translations."""
    return [path for path in chapters() if path.rpartition("/")[2] in names]


@pytest.mark.parametrize("chapter", in_all_languages(*(chapter for chapter, _ in TABLES)))
def test_a_table_matches_the_code(chapter: str) -> None:
    assert with_tables(chapter) == text_of(chapter), "python -m tests.guide writes the tables"


@pytest.mark.parametrize("chapter", in_all_languages("descriptors.md"))
def test_the_table_of_settings_matches_the_code(chapter: str) -> None:
    rows = {name.strip("`"): default for name, default, _ in cells_in(chapter, "## Settings")}
    assert list(rows) == list(SETTINGS)
    for name, setting in SETTINGS.items():
        written = {None: "standard", (): ""}.get(setting.default, setting.default)
        if isinstance(written, bool):
            written = "on" if written else "off"
        assert rows[name] == (f"{written:g}" if isinstance(written, float) else str(written))


@pytest.mark.parametrize("chapter", in_all_languages("installing.md"))
def test_the_table_of_extras_matches_the_project_file(chapter: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name.strip("`") for name, _ in cells_in(chapter, "## From a checkout")]
    assert sorted(extras) == sorted(project["optional-dependencies"])


# ---------------------------------------------------------------- commands
@pytest.mark.parametrize("chapter", in_all_languages("command-line.md"))
def test_the_rows_of_the_command_table_are_the_commands(chapter: str) -> None:
    assert set(rows_of_commands(chapter)) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_in_the_guide(command: str) -> None:
    known = options_of(command)
    named = set(re.findall(r"--[a-z][a-z-]*", paragraphs_about(command)))
    assert known <= named, f"not in the guide: {sorted(known - named)}"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_row_names_no_unknown_option(command: str) -> None:
    usage, does, _ = rows_of_commands()[command]
    together = [name for name, (other, _, _) in rows_of_commands().items() if other == usage]
    named = set(re.findall(r"--[a-z][a-z-]*", usage + does))
    assert named <= set().union(*map(options_of, together)) | COMMON


def code_lines() -> list[str]:
    """Return the command lines in code blocks, and the code spans in the text that have more than two words."""
    lines = [line.split("  #")[0].strip() for line in TEXT.splitlines() if line.startswith("    ")]
    spans = [span for span in re.findall(r"`([^`]+)`", TEXT) if len(span.split()) > 2]
    lines += [span for span in spans if not re.search(r"[\[|]|\.\.\.", span)]
    return sorted({line for line in lines if line == "focal" or line.startswith("focal ")})


def test_lines_of_commands_are_found() -> None:
    assert {"focal ~/Pics", "focal train --learner automatic"} <= set(code_lines())
    assert any(line.startswith("focal descriptors --add-network net.onnx") for line in code_lines())


@pytest.mark.parametrize("line", code_lines())
def test_a_command_line_of_the_guide_is_valid(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["3" if word == "N" else word for word in shlex.split(line)[1:]]
    try:
        command = parse_command_line(words).command
    except SystemExit as stop:
        pytest.fail(f"{line}: {stop.code} {capsys.readouterr().err}")
    assert command is not None or not words[0].isalpha()


def test_names_of_commands_in_the_text_are_commands() -> None:
    names = re.findall(r"`focal ([a-z]+)", TEXT)
    assert names
    assert set(names) <= set(COMMANDS)


# ---------------------------------------------------------------- messages
def texts_of_the_program() -> list[str]:
    """Return the literal texts of the code, with ``{}`` for the fields of f-strings."""
    found = []
    for top in ("browser", "features", "learners"):
        for file in sorted((ROOT / top).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                parts = node.values if isinstance(node, ast.JoinedStr) else [node]
                if all(isinstance(part, ast.Constant | ast.FormattedValue) for part in parts):
                    values = [part.value if isinstance(part, ast.Constant) else "{}" for part in parts]
                    found.append("".join(map(str, values)))
    return found


def is_said_by(text: str, quoted: str) -> bool:
    """Whether a quoted message is a template, up to the end of one of its sentences; any text can be in its fields."""
    ends = [match.end() for match in re.finditer(r"\.(?= |$)", text)] or [len(text)]
    for end in {*ends, len(text)}:
        part = re.sub(r"\{\w*(?::[^{}]*)?\}(: \{\w*\})?", "\0", text[:end])
        pattern = ".+".join(map(re.escape, part.split("\0")))
        if len(re.findall(r"[^\W\d_]{2,}", part)) >= 4 and re.fullmatch(pattern, quoted):
            return True
    return False


def quoted_messages(chapter: str) -> list[str]:
    """Return the messages with which sections of the chapter on troubleshooting begin."""
    return [re.sub(r"\s+", " ", one) for one in re.findall(r"\n\n\*([^*]+)\*", text_of(chapter))]


def test_messages_quoted_in_troubleshooting_are_those_of_the_program() -> None:
    texts = texts_of_the_program()
    quoted = quoted_messages("troubleshooting.md")
    assert len(quoted) >= 5
    assert [one for one in quoted if not any(is_said_by(text, one) for text in texts)] == []


def test_messages_quoted_in_german_are_translations_of_the_quoted_ones() -> None:
    english, german = quoted_messages("troubleshooting.md"), quoted_messages("de/troubleshooting.md")
    forms = translations("de")
    for one, other in zip(english, german, strict=True):
        said = [form for text in forms if is_said_by(text, one) for form in forms[text]]
        assert one == other if not said else any(is_said_by(form, other) for form in said), other


def test_a_changed_message_is_found() -> None:
    text = "The disk that holds {0} is full: nothing was saved. Free some space."
    assert is_said_by(text, "The disk that holds ... is full: nothing was saved.")
    assert is_said_by(text, "The disk that holds ... is full: nothing was saved. Free some space.")
    assert not is_said_by(text, "The disk that holds ... is full: nothing was stored.")
    assert not is_said_by("{0} is {1}.", "The disk that holds ... is full.")


# ---------------------------------------------------------------- filter
def test_the_terms_of_the_filter_are_in_the_guide() -> None:
    line = next(line for line in TEXT.splitlines() if line.startswith("The filter takes"))
    (terms,) = re.findall(r"`([^`]+)`", line)
    assert len(parse(terms).terms) == len(terms.split())
    words = {re.split("[:<>=]", term.lstrip("-"))[0] for term in terms.split()}
    assert words == {*KEYS, *FLAGS}


# ---------------------------------------------------------------- chapters
def test_the_index_and_the_first_page_list_every_chapter() -> None:
    listed = re.findall(r"\]\(([^)]+)\)", CHAPTERS["index.md"])
    assert sorted([*listed, "index.md"]) == sorted(CHAPTERS)
    assert re.findall(r"^\| \[.*?\]\(resources/guide/([^)]+)\)", FIRST_PAGE, re.M) == listed


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_has_one_title_and_its_name_in_the_index(chapter: str) -> None:
    (title,) = re.findall(r"^# (.+)$", CHAPTERS[chapter], re.M)
    assert CHAPTERS[chapter].startswith(f"# {title}\n")
    assert chapter == "index.md" or f"[{title}]({chapter})" in CHAPTERS["index.md"]


def test_the_first_page_is_one_page() -> None:
    assert len(FIRST_PAGE.splitlines()) <= 100


# ---------------------------------------------------------------- places
def paths() -> list[str]:
    spans = re.findall(r"`([^`\s]+)`", TEXT)
    plan = FIRST_PAGE[FIRST_PAGE.index("## The floor plan") :]
    spans += re.findall(r"^    (\S+) {2,}", plan, re.M)
    return sorted(
        {span for span in spans if re.match(r"(browser|features|learners|resources|tests)[/.]|[A-Z]+\.md", span)}
    )


@pytest.mark.parametrize("path", paths())
def test_a_path_of_the_guide_exists(path: str) -> None:
    assert (ROOT / path).exists()


def test_paths_are_found() -> None:
    assert {"browser/operations/", "tests/benchmarks/"} <= set(paths())


def links() -> list[tuple[str, str]]:
    """Return the links of every page with the page that contains them."""
    pages = {"README.md": FIRST_PAGE} | {f"resources/guide/{path}": text_of(path) for path in chapters()}
    return sorted({(page, link) for page, text in pages.items() for link in re.findall(r"\]\(([^)\s]+)\)", text)})


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a page."""
    return {
        re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.M)
    }


@pytest.mark.parametrize(("page", "link"), links())
def test_a_link_has_a_target(page: str, link: str) -> None:
    path, _, anchor = link.partition("#")
    target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
    assert target.is_relative_to(ROOT)
    assert target.exists(), target
    assert not anchor or anchor in anchors(target.read_text(encoding="utf-8"))


def test_links_are_found() -> None:
    assert {link for page, link in links() if page == "README.md"} >= {"resources/guide/index.md", "CONTRIBUTING.md"}
    assert sum("#" in link for _, link in links()) > 5


def test_programs_named_in_the_guide_exist() -> None:
    results = (ROOT / "tests" / "benchmarks" / "results" / "README.md").read_text(encoding="utf-8")
    modules = set(re.findall(r"python -m ([\w.]+)", TEXT + results))
    assert modules
    assert [module for module in modules if find_spec(module) is None] == []


def test_make_targets_named_in_the_guide_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"make ([a-z]+)", TEXT))
    assert {"run", "test"} <= targets
    assert all(re.search(rf"^{target}:", makefile, re.M) for target in targets), targets


def test_nothing_advises_installing_a_program_of_the_same_name() -> None:
    # The name on the package index belongs to another project: only a checkout is Focal.
    advice = re.compile(r"""(?:pip|pipx|uv|tool) install ["']?focal\b(?!-photos)""")
    files = [*ROOT.glob("*.md"), *GUIDE.glob("*.md")]
    for top in ("browser", "features", "learners"):
        files += (ROOT / top).rglob("*.py")
    assert len(files) > 200
    assert not [file for file in files if advice.search(file.read_text(encoding="utf-8"))]


def test_files_named_in_contributing_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:browser|features|learners|resources|tests)/[a-z0-9_./-]+)`", text))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()] == []


def test_the_map_of_rooms_names_every_room() -> None:
    rows = re.findall(
        r"^\| `([a-z/]+)` \| (.+) \|$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    maps = {floor: set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", row)))) for floor, row in rows}
    assert {"browser/views", "browser/operations", "browser/catalog", "learners", "features"} <= maps.keys()
    for floor, named in maps.items():
        rooms = {path.parent.name for path in (ROOT / floor).glob("*/__init__.py")}
        assert sorted(rooms - named) == [], floor


# ---------------------------------------------------------------- translations
TRANSLATED = [path for path in chapters() if "/" in path]
_CODE = re.compile(r"^```.*?^```$|^ {4}.*?$", re.MULTILINE | re.DOTALL)


def english_of(path: str) -> str:
    return CHAPTERS[path.partition("/")[2]]


def blocks_in(text: str) -> list[str]:
    """Return the lines of the code blocks without their comments."""
    return [re.sub(r"\s+# .*$", "", line) for block in _CODE.findall(text) for line in block.splitlines()]


def spans_in(text: str) -> list[str]:
    """Return the code spans of the text."""
    return sorted(re.findall(r"`([^`]+)`", _CODE.sub("", text)))


def links_in(text: str) -> list[str]:
    return sorted(re.findall(r"\]\(([^)]+)\)", text))


def links_in_english(path: str, text: str) -> list[str]:
    """Return the links of a translation, or of a part of it, with the anchors of the English chapter."""

    def english(link: str) -> str:
        file, _, anchor = link.partition("#")
        if not anchor or "://" in link:
            return link.removeprefix("../") if link.startswith("../") else link
        folder, _, chapter = path.rpartition("/")
        name = file or chapter
        places = [make_anchor(re.sub(r"[`*]", "", one.lstrip("# "))) for one in headings(text_of(f"{folder}/{name}"))]
        others = [make_anchor(re.sub(r"[`*]", "", one.lstrip("# "))) for one in headings(text_of(name))]
        return f"{file}#{others[places.index(anchor)]}"

    return sorted(english(link) for link in re.findall(r"\]\(([^)]+)\)", text))


def keys_in(text: str) -> set[str]:
    """Return the key combinations in a text, in English."""
    combinations = r"(?:(?:Ctrl|Shift|Alt)\+)+\w+|\bF\d+\b|\b(?:Esc|Tab|Enter|Delete|Space|Backspace)\b"
    return set(re.findall(combinations, keys_in_english(text)))


def numbers_in(text: str) -> set[str]:
    """Return the numbers of a text without regard to separators: 1,000 equals 1.000, .76 equals 0,76."""
    text = re.sub(r"(?<=\d)(?<!\b0)[.,](?=\d{3}\b)", "", text)
    return set(re.findall(r"\d+", re.sub(r"(?<![\d.,])\.(?=\d)", "0.", text)))


def rows_in(text: str) -> list[list[str]]:
    """Return the cells of each table row of a chapter."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]


def test_every_chapter_is_in_german() -> None:
    assert [f"de/{chapter}" for chapter in CHAPTERS] == TRANSLATED


@pytest.mark.parametrize("path", TRANSLATED)
def test_a_translation_agrees_with_the_english_chapter(path: str) -> None:
    """Order of headings, links, commands, terms, keys and numbers are the same."""
    english, other = english_of(path), text_of(path)
    levels = [[heading.partition(" ")[0] for heading in headings(text)] for text in (other, english)]
    assert levels[0] == levels[1]
    for part in (blocks_in, spans_in, keys_in, numbers_in):
        assert part(other) == part(english)
    assert links_in_english(path, other) == links_in(english)


@pytest.mark.parametrize("path", TRANSLATED)
def test_tables_of_a_translation_agree_with_the_english_tables(path: str) -> None:
    """Each cell has the same code, links and numbers, and has text only if the English cell has text."""
    english, other = rows_in(english_of(path)), rows_in(text_of(path))
    assert len(other) == len(english)
    for ours, theirs in zip(other, english, strict=True):
        assert len(ours) == len(theirs), ours
        for mine, its in zip(ours, theirs, strict=True):
            for part in (spans_in, keys_in, numbers_in):
                assert part(mine) == part(its), ours
            assert links_in_english(path, mine) == links_in(its), ours
            assert bool(mine.strip()) == bool(its.strip()), ours


def test_the_comparison_finds_numbers_keys_code_and_rows() -> None:
    assert numbers_in("Von 1.000 sind 0,76 und 11,4 kB") == numbers_in("Of 1,000, .76 and 11.4 kB are")
    assert numbers_in("1.000") != numbers_in("1.001")
    assert numbers_in("mindestens 0,965") == numbers_in("at least .965") == {"0", "965"}
    assert keys_in("Strg+Umschalt+K, Entf und Alt+Links") == {"Ctrl+Shift+K", "Delete", "Alt+Left"}
    text = "So `a`:\n\n    focal ~/Pics   # comes in\n\n```python\n# a comment\nx = f(`)\n```\n\nand `b`."
    assert blocks_in(text) == ["    focal ~/Pics", "```python", "# a comment", "x = f(`)", "```"]
    assert spans_in(text) == ["a", "b"]
    assert rows_in("| a | `b \\| c` |\n\nd | e") == [[" a ", " `b \\| c` "]]


_QUOTED = {"Öffnen mit Focal", "animal", "dog", "difficult"}
"""Quoted texts in the German chapters that come from the desktop or a file."""


def test_texts_quoted_in_german_chapters_are_in_the_window() -> None:
    shown = {_plain(form) for forms in translations("de").values() for form in forms}
    text = re.sub(r"\s+", " ", " ".join(text_of(path) for path in TRANSLATED))
    quoted = [quote for quote in re.findall(r"„([^“]*)“", text) if "→" not in quote]
    assert len(quoted) > 40
    assert {_plain(quote) for quote in quoted} - shown <= _QUOTED
    entries = re.findall(
        r"\b(Datei|Bearbeiten|Schlagwörter|Lernen|Ansicht|Gehe zu|Hilfe|Einstellungen) > (.{60})", text
    )
    assert len(entries) > 4
    for menu, entry in entries:
        assert menu in shown
        assert any(entry.startswith(one) for one in shown if one and one[0].isupper()), entry


def _plain(text: str) -> str:
    return text.replace("&", "").rstrip("…").removesuffix("; {0}")


def test_a_table_text_without_german_raises_a_key_error() -> None:
    assert in_german("The first 1,200 principal components of gist") == "Die ersten 1.200 Hauptkomponenten von gist"
    with pytest.raises(KeyError, match="Nobody translated this"):
        in_german("Nobody translated this")
