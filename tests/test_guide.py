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
from focal_photos.browser.operations.describing.settings import SETTINGS
from tests.guide import GUIDE, README, ROOT, TABLES, cells_in, rows_of_commands, with_tables

CHAPTERS = {file.name: file.read_text(encoding="utf-8") for file in sorted(GUIDE.glob("*.md"))}
FIRST_PAGE = README.read_text(encoding="utf-8")
TEXT = "\n\n".join([FIRST_PAGE, *CHAPTERS.values()])
COMMON = {option for action in common()._actions for option in action.option_strings} | {"-h", "--help"}


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
@pytest.mark.parametrize("chapter", sorted({chapter for chapter, _ in TABLES}))
def test_a_table_is_as_the_code_has_it(chapter: str) -> None:
    assert with_tables(chapter) == CHAPTERS[chapter], "python -m tests.guide writes the tables"


def test_the_table_of_settings() -> None:
    rows = {name.strip("`"): default for name, default, _ in cells_in("descriptors.md", "## Settings")}
    assert list(rows) == list(SETTINGS)
    for name, setting in SETTINGS.items():
        written = {None: "standard", (): ""}.get(setting.default, setting.default)
        if isinstance(written, bool):
            written = "on" if written else "off"
        assert rows[name] == (f"{written:g}" if isinstance(written, float) else str(written))


def test_the_table_of_extras() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name.strip("`") for name, _ in cells_in("installing.md", "## From a checkout")]
    assert sorted(extras) == sorted(project["optional-dependencies"])


# ---------------------------------------------------------------- commands
def test_every_command_has_its_row_and_every_row_its_command() -> None:
    assert set(rows_of_commands()) == set(COMMANDS)


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
    pages = {"README.md": FIRST_PAGE} | {f"resources/guide/{name}": text for name, text in CHAPTERS.items()}
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
TRANSLATED = sorted(path.relative_to(GUIDE).as_posix() for path in GUIDE.glob("*/*.md"))
_NAMES = {
    "Strg": "Ctrl",
    "Umschalt": "Shift",
    "Leertaste": "Space",
    "Rücktaste": "Backspace",
    "Entf": "Delete",
    "Links": "Left",
    "Pfeile": "arrows",
    "Ziffer": "digit",
    "Klick": "click",
}
"""Keys in German as the window writes them."""


def keys_in(text: str) -> set[str]:
    """Return the combinations of keys that a text names, in English."""
    for german, english in _NAMES.items():
        text = re.sub(rf"\b{german}\b", english, text)
    return set(re.findall(r"(?:(?:Ctrl|Shift|Alt)\+)+\w+|\bF\d+\b|\b(?:Esc|Tab|Enter|Delete|Space|Backspace)\b", text))


def test_the_chapters_that_an_ordinary_user_opens_are_in_german() -> None:
    assert {"de/index.md", "de/browsing.md", "de/reviewing.md", "de/teaching.md"} <= set(TRANSLATED)


@pytest.mark.parametrize("path", TRANSLATED)
def test_a_translation_says_what_the_english_chapter_says(path: str) -> None:
    """Headings in their places, links, commands, terms, keys and numbers: what is out of date is told."""
    english, other = CHAPTERS[path.partition("/")[2]], (GUIDE / path).read_text(encoding="utf-8")
    assert re.findall(r"^#+(?= )", other, re.MULTILINE) == re.findall(r"^#+(?= )", english, re.MULTILINE)
    for pattern in (r"\]\(([^)]+)\)", r"`([^`]+)`"):
        assert sorted(re.findall(pattern, other)) == sorted(re.findall(pattern, english))
    assert keys_in(other) == keys_in(english)
    numbers = [set(re.findall(r"\d+", re.sub(r"(?<=\d)[.,](?=\d{3}\b)", "", text))) for text in (other, english)]
    assert numbers[0] == numbers[1]
