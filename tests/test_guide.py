"""README and guide say what is there: their tables, commands, options, settings, keys, paths and links."""

from __future__ import annotations

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
    """Return all that is said of a command: its row, and the paragraphs and lists that name it."""
    parts = [*rows_of_commands()[command][:2]]
    parts += [part for part in re.split(r"\n\n", TEXT) if f"focal {command} " in part and not part.startswith("|")]
    return "\n".join(parts)


# ---------------------------------------------------------------- tables
def in_all_languages(*names: str) -> list[str]:
    """Return the paths of some chapters, and of their translations."""
    return [path for path in chapters() if path.rpartition("/")[2] in names]


@pytest.mark.parametrize("chapter", in_all_languages(*(chapter for chapter, _ in TABLES)))
def test_a_table_is_as_the_code_has_it(chapter: str) -> None:
    assert with_tables(chapter) == text_of(chapter), "python -m tests.guide writes the tables"


@pytest.mark.parametrize("chapter", in_all_languages("descriptors.md"))
def test_the_table_of_settings(chapter: str) -> None:
    rows = {name.strip("`"): default for name, default, _ in cells_in(chapter, "## Settings")}
    assert list(rows) == list(SETTINGS)
    for name, setting in SETTINGS.items():
        written = {None: "standard", (): ""}.get(setting.default, setting.default)
        if isinstance(written, bool):
            written = "on" if written else "off"
        assert rows[name] == (f"{written:g}" if isinstance(written, float) else str(written))


@pytest.mark.parametrize("chapter", in_all_languages("installing.md"))
def test_the_table_of_extras(chapter: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name.strip("`") for name, _ in cells_in(chapter, "## From a checkout")]
    assert sorted(extras) == sorted(project["optional-dependencies"])


# ---------------------------------------------------------------- commands
@pytest.mark.parametrize("chapter", in_all_languages("command-line.md"))
def test_every_command_has_its_row_and_every_row_its_command(chapter: str) -> None:
    assert set(rows_of_commands(chapter)) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_of_a_command_are_named(command: str) -> None:
    known = options_of(command)
    named = set(re.findall(r"--[a-z][a-z-]*", paragraphs_about(command)))
    assert known <= named, f"not in the guide: {sorted(known - named)}"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_row_names_no_option_that_is_not_there(command: str) -> None:
    usage, does, _ = rows_of_commands()[command]
    together = [name for name, (other, _, _) in rows_of_commands().items() if other == usage]
    named = set(re.findall(r"--[a-z][a-z-]*", usage + does))
    assert named <= set().union(*map(options_of, together)) | COMMON


def code_lines() -> list[str]:
    """Return the lines of commands in code blocks, and those in the text that are more than a command's name."""
    lines = [line.split("  #")[0].strip() for line in TEXT.splitlines() if line.startswith("    ")]
    spans = [span for span in re.findall(r"`([^`]+)`", TEXT) if len(span.split()) > 2]
    lines += [span for span in spans if not re.search(r"[\[|]|\.\.\.", span)]
    return sorted({line for line in lines if line == "focal" or line.startswith("focal ")})


def test_lines_of_commands_are_found() -> None:
    assert {"focal ~/Pics", "focal train --learner automatic"} <= set(code_lines())
    assert any(line.startswith("focal descriptors --add-network net.onnx") for line in code_lines())


@pytest.mark.parametrize("line", code_lines())
def test_a_line_of_a_command_is_understood(line: str, capsys: pytest.CaptureFixture[str]) -> None:
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


# ---------------------------------------------------------------- filter
def test_the_terms_of_the_filter() -> None:
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
def test_a_path_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_paths_are_found() -> None:
    assert {"browser/operations/", "tests/benchmarks/"} <= set(paths())


def links() -> list[tuple[str, str]]:
    """Return the links of every page, with the page that they are on."""
    pages = {"README.md": FIRST_PAGE} | {f"resources/guide/{path}": text_of(path) for path in chapters()}
    return sorted({(page, link) for page, text in pages.items() for link in re.findall(r"\]\(([^)\s]+)\)", text)})


def anchors(text: str) -> set[str]:
    """Return the names of the headings of a page, as links have them."""
    return {
        re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.M)
    }


@pytest.mark.parametrize(("page", "link"), links())
def test_a_link_leads_somewhere(page: str, link: str) -> None:
    path, _, anchor = link.partition("#")
    target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
    assert target.is_relative_to(ROOT)
    assert target.exists(), target
    assert not anchor or anchor in anchors(target.read_text(encoding="utf-8"))


def test_links_are_found() -> None:
    assert {link for page, link in links() if page == "README.md"} >= {"resources/guide/index.md", "CONTRIBUTING.md"}
    assert sum("#" in link for _, link in links()) > 5


def test_programs_that_are_named_are_there() -> None:
    results = (ROOT / "tests" / "benchmarks" / "results" / "README.md").read_text(encoding="utf-8")
    modules = set(re.findall(r"python -m ([\w.]+)", TEXT + results))
    assert modules
    assert [module for module in modules if find_spec(module) is None] == []


def test_targets_of_make_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"make ([a-z]+)", TEXT))
    assert {"run", "test"} <= targets
    assert all(re.search(rf"^{target}:", makefile, re.M) for target in targets), targets


def test_nothing_advises_to_install_a_program_of_the_same_name() -> None:
    # The name on the package index is somebody else's: only what lies in a checkout is Focal.
    advice = re.compile(r"""(?:pip|pipx|uv|tool) install ["']?focal\b(?!-photos)""")
    files = [*ROOT.glob("*.md"), *GUIDE.glob("*.md")]
    for top in ("browser", "features", "learners"):
        files += (ROOT / top).rglob("*.py")
    assert len(files) > 200
    assert not [file for file in files if advice.search(file.read_text(encoding="utf-8"))]


def test_files_that_contributing_names_are_there() -> None:
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
    """Return the lines of the blocks of code, without the comments in them."""
    return [re.sub(r"\s+# .*$", "", line) for block in _CODE.findall(text) for line in block.splitlines()]


def spans_in(text: str) -> list[str]:
    """Return what is written as code within the text."""
    return sorted(re.findall(r"`([^`]+)`", _CODE.sub("", text)))


def links_in(text: str) -> list[str]:
    return sorted(re.findall(r"\]\(([^)]+)\)", text))


def links_in_english(path: str, text: str) -> list[str]:
    """Return the links of a translation, or a part of it, as the English chapter would have them in their places."""

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
    """Return the combinations of keys that a text names, in English."""
    combinations = r"(?:(?:Ctrl|Shift|Alt)\+)+\w+|\bF\d+\b|\b(?:Esc|Tab|Enter|Delete|Space|Backspace)\b"
    return set(re.findall(combinations, keys_in_english(text)))


def numbers_in(text: str) -> set[str]:
    """Return the numbers of a text, whatever stands between the digits: 1,000 is 1.000, .76 is 0,76."""
    text = re.sub(r"(?<=\d)(?<!\b0)[.,](?=\d{3}\b)", "", text)
    return set(re.findall(r"\d+", re.sub(r"(?<![\d.,])\.(?=\d)", "0.", text)))


def rows_in(text: str) -> list[list[str]]:
    """Return the rows of all tables of a chapter, each as its cells."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]


def test_every_chapter_is_in_german() -> None:
    assert [f"de/{chapter}" for chapter in CHAPTERS] == TRANSLATED


@pytest.mark.parametrize("path", TRANSLATED)
def test_a_translation_says_what_the_english_chapter_says(path: str) -> None:
    """Headings in their places, links, commands, terms, keys and numbers: what is out of date is told."""
    english, other = english_of(path), text_of(path)
    levels = [[heading.partition(" ")[0] for heading in headings(text)] for text in (other, english)]
    assert levels[0] == levels[1]
    for part in (blocks_in, spans_in, keys_in, numbers_in):
        assert part(other) == part(english)
    assert links_in_english(path, other) == links_in(english)


@pytest.mark.parametrize("path", TRANSLATED)
def test_tables_of_a_translation_have_the_same_rows(path: str) -> None:
    """In each cell the same code, links and numbers, and words only where there are words."""
    english, other = rows_in(english_of(path)), rows_in(text_of(path))
    assert len(other) == len(english)
    for ours, theirs in zip(other, english, strict=True):
        assert len(ours) == len(theirs), ours
        for mine, its in zip(ours, theirs, strict=True):
            for part in (spans_in, keys_in, numbers_in):
                assert part(mine) == part(its), ours
            assert links_in_english(path, mine) == links_in(its), ours
            assert bool(mine.strip()) == bool(its.strip()), ours


def test_what_is_compared_in_a_translation() -> None:
    assert numbers_in("Von 1.000 sind 0,76 und 11,4 kB") == numbers_in("Of 1,000, .76 and 11.4 kB are")
    assert numbers_in("1.000") != numbers_in("1.001")
    assert numbers_in("mindestens 0,965") == numbers_in("at least .965") == {"0", "965"}
    assert keys_in("Strg+Umschalt+K, Entf und Alt+Links") == {"Ctrl+Shift+K", "Delete", "Alt+Left"}
    text = "So `a`:\n\n    focal ~/Pics   # comes in\n\n```python\n# a comment\nx = f(`)\n```\n\nand `b`."
    assert blocks_in(text) == ["    focal ~/Pics", "```python", "# a comment", "x = f(`)", "```"]
    assert spans_in(text) == ["a", "b"]
    assert rows_in("| a | `b \\| c` |\n\nd | e") == [[" a ", " `b \\| c` "]]


_QUOTED = {"Öffnen mit Focal", "animal", "dog", "difficult"}
"""What stands between German quotes and is said by the desktop or a file."""


def test_what_german_chapters_quote_is_in_the_window() -> None:
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


def test_a_table_that_has_no_german_says_so() -> None:
    assert in_german("The first 1,200 principal components of gist") == "Die ersten 1.200 Hauptkomponenten von gist"
    with pytest.raises(KeyError, match="Nobody translated this"):
        in_german("Nobody translated this")
