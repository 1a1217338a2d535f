# SPDX-License-Identifier: MIT
"""The grammar of the command line."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from focal_photos.browser.cli import main
from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.commands import COMMANDS, load
from focal_photos.browser.cli.grammar import parse
from tests.browser.cli.command_line import Focal, run
from tests.browser.operations.album import Album


def test_tags_with_signs_are_not_options() -> None:
    arguments = parse(
        ["tag", "--library", "-odd", "a.jpg", "+beach", "-sea", "--json", "+a b", "--add", "-dash", "-x/y"]
    )
    assert arguments.images == [Path("a.jpg")]
    assert (arguments.add, arguments.remove) == (["beach", "a b", "-dash"], ["sea", "x/y"])
    assert (arguments.library, arguments.json) == (Path("-odd"), True)


def test_after_a_double_dash_everything_is_a_file() -> None:
    arguments = parse(["tag", "+beach", "--", "+odd.jpg", "-sea.jpg"])
    assert (arguments.images, arguments.add) == ([Path("+odd.jpg"), Path("-sea.jpg")], ["beach"])


def test_options_may_precede_or_follow_the_command() -> None:
    for line in (
        ["--library", "L", "--json", "undo"],
        ["undo", "--library", "L", "--json"],
        ["--library=L", "undo", "--json"],
    ):
        arguments = parse(line)
        assert (arguments.command, arguments.library, arguments.json) == ("undo", Path("L"), True)


def test_a_query_may_begin_with_a_minus() -> None:
    assert parse(["list", "-tag:boat", "tag:sea", "--json"]).words == ["-tag:boat", "tag:sea"]
    arguments = parse(["list", "--library", "some", "-sea"])
    assert (arguments.library, arguments.words) == (Path("some"), ["-sea"])


def test_without_a_command_folders_are_opened() -> None:
    arguments = parse(["--library", "index", "some", "folder"])
    assert (arguments.command, arguments.library, arguments.paths) == (
        None,
        Path("index"),
        [Path("some"), Path("folder")],
    )
    assert parse([]).paths == []


def test_the_value_of_an_option_may_begin_with_a_sign() -> None:
    arguments = parse(["tag", "--from-csv", "-t.csv", "--root", "-photos", "--remove", "+x"])
    assert (arguments.source.path, arguments.root) == (Path("-t.csv"), Path("-photos"))
    assert (arguments.images, arguments.add, arguments.remove) == ([], [], ["+x"])


def test_help_before_a_command_covers_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help", "rank"], ["--json", "-h", "rank"], ["--library=L", "-h", "rank", "x"]):
        assert main(words) == 0
        out = capsys.readouterr().out
        assert all(f"    {command} " in out for command in COMMANDS)
    assert main(["--lib", "rank", "x"]) == 2  # an abbreviation of --library, so ``rank`` is its value
    assert "invalid choice: 'x' (choose from 'index', 'rank'" in capsys.readouterr().err


def test_help_describes_each_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 72
    for name in COMMANDS:
        assert re.search(rf"^  {name} +{load(name).summary.split()[0]} ", out, re.MULTILINE), name
    codes = "0 done, 1 failed, 2 wrong use, 3 done but not all of the output could be written."
    assert " ".join(out.split()).endswith(f"Exit codes: {codes}")


def test_only_the_called_command_is_loaded() -> None:
    for words in (["rank", "x"], ["--library", "L", "--json", "rank", "x"], ["--library=L", "rank", "x"]):
        script = (
            "import sys\nfrom focal_photos.browser.cli.grammar import parse\n"
            "parse(sys.argv[1:])\n"
            "rooms = 'focal_photos.browser.cli.commands.'\n"
            "print([m for m in sys.modules if m.startswith(rooms) and m.count('.') == 5])"
        )
        done = run(sys.executable, "-c", script, *words)
        assert done.stdout.decode().strip() == "['focal_photos.browser.cli.commands.ranking.rank']"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_has_a_description(command: str) -> None:
    parser = Parser()
    load(command).add_arguments(parser)
    assert [action.metavar or action.dest for action in parser._actions if action.help is None] == []


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
        assert f"usage: focal {command}" in capsys.readouterr().out


def test_wrong_arguments_are_refused(indexed: Focal, album: Album, tmp_path: Path) -> None:
    one, two = album.path("warm/0.jpg"), album.path("cold/0.jpg")
    for arguments in (
        ["tag", one],
        ["tag", "+sea"],
        ["tag", one, "+x", "--from-csv", tmp_path / "t.csv"],
        ["judge", one, "--similar"],
        ["judge", one, two],
        ["judge", one, two, "--similar", "--dissimilar"],
        ["judge", one, "--from-csv", tmp_path / "t.csv"],
        ["train", "--without-tags", "--without-judgements"],
        ["metrics", "--learners", "--use", "euclidean"],
        ["suggest", one, "--untagged"],
        ["suggest", one, "--accuracy"],
        ["suggest", "--by", "votes", "--accuracy"],
        ["rank", one, "--limit", "0"],
        ["rank", one, "--limit", "ten"],
        ["judge", "--from-csv", tmp_path / "t.csv", "--similar"],
        ["export", "--json", "--format", "csv"],
        ["export", "--what", "judgements", "--query", "x"],
        ["export", "--what", "everything", "--query", "x"],
        ["export", "--what", "everything", "--format", "csv"],
        ["import", tmp_path / "t.csv", "--format", "csv", "--what", "everything"],
        ["import", tmp_path / "t.jsonl", "--format", "jsonl", "--what", "everything", "--root", tmp_path],
        ["import", tmp_path / "t.jsonl", "--format", "jsonl", "--what", "everything", "--boxes"],
        ["undo", "more"],
    ):
        assert indexed(*arguments, code=2) == ""
        assert len(indexed.err.splitlines()) == 1
        assert "--help" in indexed.err
