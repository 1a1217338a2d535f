"""The command line: shapes and exit codes through a process of its own, everything else through `main`."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from browser.catalog.library import Library
from browser.cli import main
from browser.cli.arguments import COMMANDS, parse
from browser.cli.terminal import Terminal, describe, duration
from browser.operations.progress import Progress
from features import STANDARD
from tests.browser.operations.album import Album
from tests.browser.operations.own_descriptors import write_network

REPOSITORY = Path(__file__).parents[2]
FOCAL = [sys.executable, "-m", "browser"]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPOSITORY), "OPENBLAS_NUM_THREADS": "1"}


def run(*command: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*map(str, command)], capture_output=True, env=ENVIRONMENT, timeout=300, check=False)


def focal(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ``focal`` in a process of its own."""
    done = run(*FOCAL, *arguments)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def group_lives(number: int) -> bool:
    try:
        os.killpg(number, 0)
    except ProcessLookupError:
        return False
    return True


class Here:
    """Runs ``focal`` in this process, on one library."""

    def __init__(self, library: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.library = library
        self._capsys = capsys
        self.err = ""

    def __call__(self, *arguments: str | Path, code: int = 0) -> str:
        self._capsys.readouterr()
        done = main([*map(str, arguments), "--library", str(self.library)])
        captured = self._capsys.readouterr()
        self.err = captured.err
        assert done == code, captured.err
        assert "Traceback" not in captured.err
        return captured.out

    def json(self, *arguments: str | Path, code: int = 0) -> Any:
        return json.loads(self(*arguments, "--json", code=code))

    def lines(self, *arguments: str | Path) -> list[Any]:
        return [json.loads(line) for line in self(*arguments, "--json").splitlines()]


@pytest.fixture
def album(tmp_path: Path) -> Album:
    folder = Album(tmp_path / "photos")
    for kind in ("warm", "cold"):
        for number in range(5):
            folder.draw(f"{kind}/{number}.jpg", kind=kind, seed=number)
    return folder


@pytest.fixture
def here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Here:
    return Here(tmp_path / "library", capsys)


@pytest.fixture
def indexed(here: Here, album: Album) -> Here:
    here("index", album.folder, "--descriptors", "color_moments,color_coherence,gabor")
    return here


# ---------------------------------------------------------------- shapes, through a process
def test_the_loop_in_json_through_processes(album: Album, tmp_path: Path) -> None:
    album.path("broken.jpg").write_bytes(b"\xff\xd8\xff broken")
    library = tmp_path / "lib"

    def run(*arguments: str | Path) -> str:
        done = focal("--library", library, *arguments, "--json")
        assert done.returncode == 0, done.stderr
        return done.stdout

    indexed = json.loads(run("index", album.folder))
    assert set(indexed) == {"photos", "new", "failed", "seconds"}
    assert (indexed["photos"], indexed["new"]) == (11, 11)
    assert [set(one) for one in indexed["failed"]] == [{"path", "reason"}]
    assert indexed["failed"][0]["path"] == str(album.path("broken.jpg"))

    warm = [str(album.path(f"warm/{i}.jpg")) for i in range(5)]
    tagged = json.loads(run("tag", *warm[:4], "+sun", "+sand"))
    assert tagged == {"photos": warm[:4], "add": ["sun", "sand"], "remove": [], "changed": 4}
    judged = json.loads(run("judge", warm[0], warm[1], album.path("cold/0.jpg"), "--similar"))
    assert judged["focal"] == warm[0]
    assert judged["verdict"] == "similar"
    trained = json.loads(run("train", "--learner", "kernel"))
    assert (trained["metric"], trained["judgements"], trained["tagged"]) == ("kernel-1", 2, 4)

    ranked = json.loads(run("rank", warm[0]))
    assert set(ranked) == {"focal", "metric", "results"}
    assert (ranked["focal"], ranked["metric"]) == (warm[0], "kernel-1")
    assert len(ranked["results"]) == 9
    assert all(set(one) == {"path", "distance"} and Path(one["path"]).is_absolute() for one in ranked["results"])
    assert warm[0] not in {one["path"] for one in ranked["results"]}
    assert [one["distance"] for one in ranked["results"]] == sorted(one["distance"] for one in ranked["results"])

    (line,) = run("suggest", warm[4]).splitlines()
    suggested = json.loads(line)
    assert set(suggested) == {"path", "suggestions"}
    assert suggested["path"] == warm[4]
    assert {one["tag"] for one in suggested["suggestions"]} == {"sun", "sand"}
    for one in suggested["suggestions"]:
        assert set(one) == {"tag", "confidence", "witnesses"}
        assert set(one["witnesses"]) <= set(warm[:4])

    exported = [json.loads(line) for line in run("export", "--format", "jsonl").splitlines()]
    assert len(exported) == 11
    assert json.loads(run("check")) == {"problems": [], "repaired": []}


def test_exit_codes_and_errors_of_one_line(album: Album, tmp_path: Path) -> None:
    library = tmp_path / "lib"
    for code, arguments in (
        (0, ["--help"]),
        (0, ["index", "--help"]),
        (0, ["--version"]),
        (2, ["--smell"]),
        (2, ["rank"]),
        (2, ["no-such-command"]),
        (2, ["index", "--library", library]),
        (1, ["rank", album.path("warm/0.jpg"), "--library", library]),
        (1, ["index", tmp_path / "nowhere", "--library", library]),
    ):
        done = focal(*arguments)
        assert done.returncode == code, (arguments, done.stderr)
        if code:
            assert done.stdout == ""
            assert len(done.stderr.splitlines()) == 1, done.stderr
            assert done.stderr.startswith("focal")


def test_commands_load_no_qt_and_help_loads_no_numpy(album: Album, tmp_path: Path) -> None:
    script = (
        "import sys\nfrom browser.cli import main\n"
        "main(sys.argv[2:])\n"
        "assert not [m for m in sys.modules if m.split('.')[0] in sys.argv[1].split(',')], sys.argv\n"
    )
    library, photo = tmp_path / "lib", album.path("warm/0.jpg")
    for barred, *arguments in (
        ("PySide6,numpy,sqlite3", "--help"),
        ("PySide6,numpy,sqlite3", "rank", "--help"),
        ("PySide6", "index", album.folder, "--library", library),
        ("PySide6", "rank", photo, "--library", library),
        ("PySide6,sklearn,cv2", "tag", photo, "+x", "--library", library),
        ("PySide6,sklearn,cv2", "list", "--library", library),
        ("PySide6", "check", "--library", library),
    ):
        done = run(sys.executable, "-c", script, barred, *arguments)
        assert done.returncode == 0, done.stderr


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # it was renamed since it was listed
        return 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_ends_cleanly_and_the_workers_too(
    album: Album, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    for i in range(300):
        album.draw(f"many/{i}.jpg", seed=i)
    library = tmp_path / "lib"
    # Where the tests run in the background of a script, SIGINT is ignored, and children would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            [*FOCAL, "index", str(album.folder), "--library", str(library)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        derived = library / "derived" / "vectors"
        deadline = time.monotonic() + 120
        while not any(_size(file) > 500_000 for file in derived.glob("*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        # A terminal sends Ctrl+C to the whole group.
        os.killpg(process.pid, number) if number is signal.SIGINT else process.send_signal(number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == code
    assert out == ""
    assert "Traceback" not in err
    for _ in range(100):
        if not group_lives(process.pid):
            break
        time.sleep(0.1)
    assert not group_lives(process.pid)
    assert json.loads(focal("index", album.folder, "--library", library, "--json").stdout)["photos"] == 310


def test_a_closed_pipe_is_no_error(album: Album, tmp_path: Path) -> None:
    library = tmp_path / "lib"
    assert focal("index", album.folder, "--library", library).returncode == 0
    for i in range(400):
        album.draw(f"many/{i}.jpg", seed=i, size=(32, 32))
    assert focal("index", album.folder, "--library", library).returncode == 0
    command = f"{sys.executable} -m browser export --library {library} | head -n 1"
    done = run("bash", "-c", command)
    assert done.stdout.startswith(b"path,file_name,tags")
    assert done.stderr == b""


def test_reading_works_while_another_program_holds_the_library(indexed: Here, album: Album) -> None:
    photo = album.path("warm/0.jpg")
    with Library.open(indexed.library):
        for arguments in (["rank", photo], ["list"], ["export"], ["metrics"], ["check"]):
            done = focal(*arguments, "--library", indexed.library)
            assert done.returncode == 0, done.stderr
            assert done.stdout
        done = focal("tag", photo, "+x", "--library", indexed.library)
        assert done.returncode == 1
        assert "in use" in done.stderr


def test_file_names_that_are_no_text(tmp_path: Path) -> None:
    album = Album(tmp_path / "photos")
    odd = album.folder / os.fsdecode(b"caf\xe9.jpg")
    album.draw("x.jpg").rename(odd)
    album.draw("y.jpg")
    library = tmp_path / "lib"
    assert focal("index", album.folder, "--library", library).returncode == 0
    done = run(*FOCAL, "list", "--library", library)
    assert os.fsencode(odd) in done.stdout.splitlines()
    records = [json.loads(line) for line in focal("list", "--library", library, "--json").stdout.splitlines()]
    assert str(odd) in {record["path"] for record in records}
    exported = run(*FOCAL, "export", "--library", library)
    assert os.fsencode(odd) in exported.stdout


# ---------------------------------------------------------------- grammar
def test_tags_with_signs_are_no_options() -> None:
    arguments = parse(
        ["tag", "--library", "-odd", "a.jpg", "+beach", "-sea", "--json", "+a b", "--add", "-dash", "-x/y"]
    )
    assert arguments.images == [Path("a.jpg")]
    assert (arguments.add, arguments.remove) == (["beach", "a b", "-dash"], ["sea", "x/y"])
    assert (arguments.library, arguments.json) == (Path("-odd"), True)


def test_after_a_double_dash_everything_is_a_file() -> None:
    arguments = parse(["tag", "+beach", "--", "+odd.jpg", "-sea.jpg"])
    assert (arguments.images, arguments.add) == ([Path("+odd.jpg"), Path("-sea.jpg")], ["beach"])


def test_options_may_stand_before_and_after_the_command() -> None:
    for line in (
        ["--library", "L", "--json", "undo"],
        ["undo", "--library", "L", "--json"],
        ["--library=L", "undo", "--json"],
    ):
        arguments = parse(line)
        assert (arguments.command, arguments.library, arguments.json) == ("undo", Path("L"), True)


def test_a_query_may_begin_with_a_minus() -> None:
    assert parse(["list", "-tag:boat", "tag:sea", "--json"]).words == ["-tag:boat", "tag:sea"]


def test_without_a_command_folders_are_opened() -> None:
    arguments = parse(["--library", "index", "some", "folder"])
    assert (arguments.command, arguments.library, arguments.folders) == (
        None,
        Path("index"),
        [Path("some"), Path("folder")],
    )
    assert parse([]).folders == []


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
        assert f"usage: focal {command}" in capsys.readouterr().out


# ---------------------------------------------------------------- commands
def test_text_for_people(indexed: Here, album: Album) -> None:
    out = indexed("index", album.folder)
    assert out.startswith("10 photos, 0 new, 0 failed")
    warm = [album.path(f"warm/{i}.jpg") for i in range(5)]
    assert indexed("tag", *warm[:4], "+sun") == "Tag 4 photos: sun\n"
    assert indexed("tag", *warm[:4], "+sun") == "Nothing to change.\n"
    assert indexed("judge", warm[0], warm[1], "--dissimilar") == "Mark 1 photo as dissimilar\n"
    assert indexed("train").startswith("Kernel metric (v1) from 1 judgements and 4 tagged photos")
    assert len(indexed("rank", warm[0], "--limit", "3").splitlines()) == 3
    assert indexed("suggest", warm[4]).startswith(f"{warm[4]}: sun ")
    assert "* kernel-1" in indexed("metrics")
    assert indexed("undo") == "Undone: Train metric: Kernel metric (v1)\n"
    assert indexed("redo") == "Redone: Train metric: Kernel metric (v1)\n"
    assert indexed("check") == "Nothing is wrong.\n"


def test_tag_and_list(indexed: Here, album: Album) -> None:
    one, two = album.path("warm/0.jpg"), album.path("cold/0.jpg")
    indexed("tag", one, two, "+sea", "+boat")
    changed = indexed.json("tag", one, "-boat", "+sky")
    assert changed == {"photos": [str(one)], "add": ["sky"], "remove": ["boat"], "changed": 1}
    assert [line["path"] for line in indexed.lines("list", "tag:sea")] == [str(two), str(one)]
    assert [line["path"] for line in indexed.lines("list", "tag:sea", "-tag:boat")] == [str(one)]
    assert indexed.lines("list", "tag:sky")[0]["tags"] == ["sea", "sky"]
    indexed("list", "date:never", code=1)
    assert "character" in indexed.err


def test_import_of_tables(indexed: Here, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "tags.csv"
    table.write_text("file,tags\nwarm/0.jpg,sun;sand\nnone.jpg,x\n")
    assert indexed.json("tag", "--from-csv", table, code=1)["unknown"] == [
        str(tmp_path / "warm/0.jpg"),
        str(tmp_path / "none.jpg"),
    ]
    report = indexed.json("tag", "--from-csv", table, "--root", album.folder)
    assert report == {"lines": 2, "changed": 1, "unknown": [str(album.path("none.jpg"))], "refused": []}
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("focal,other,verdict\nwarm/0.jpg,cold/0.jpg,dissimilar\nwarm/0.jpg,cold/1.jpg,perhaps\n")
    report = indexed.json("judge", "--from-csv", pairs, "--root", album.folder)
    assert (report["changed"], report["refused"][0]["line"]) == (2, 3)


def test_judge_and_clear(indexed: Here, album: Album) -> None:
    focal_image, one, two = (album.path(name) for name in ("warm/0.jpg", "warm/1.jpg", "cold/1.jpg"))
    assert indexed.json("judge", focal_image, one, two, "--similar")["changed"] == 2
    cleared = indexed.json("judge", focal_image, two, "--clear")
    assert (cleared["verdict"], cleared["changed"]) == (None, 1)
    lines = indexed.lines("export", "--what", "judgements")
    assert [(line["focal"], line["other"], line["verdict"]) for line in lines] == [
        (str(focal_image), str(one), "similar")
    ]


def test_rank_takes_any_image_metric_and_query(indexed: Here, album: Album, tmp_path: Path) -> None:
    outside = Album(tmp_path / "elsewhere").draw("x.png", kind="cold", seed=99)
    ranked = indexed.json("rank", outside, "--metric", "euclidean", "--limit", "4")
    assert (ranked["focal"], len(ranked["results"])) == (str(outside), 4)
    assert all("/cold/" in one["path"] for one in ranked["results"])
    only = indexed.json("rank", outside, "--query", "path:warm")
    assert {Path(one["path"]).parent.name for one in only["results"]} == {"warm"}
    indexed("rank", outside, "--metric", "smell", code=1)
    assert "no metric smell" in indexed.err
    indexed("rank", album.path("nothing.jpg"), code=1)
    assert "cannot be used as focal image" in indexed.err


def test_suggest_accept_and_reject(indexed: Here, album: Album) -> None:
    warm = [album.path(f"warm/{i}.jpg") for i in range(5)]
    indexed("tag", *warm[:3], "+sun", "+sand")
    lines = indexed.lines("suggest", "--untagged", "--per-photo", "1")
    assert len(lines) == 7
    assert all(len(line["suggestions"]) == 1 for line in lines)
    indexed("suggest", *warm[3:])
    assert indexed.json("accept", warm[3], "+sun") == {"accepted": [{"path": str(warm[3]), "tag": "sun"}]}
    assert {one["tag"] for one in indexed.json("reject", warm[4])["rejected"]} == {"sun", "sand"}
    (line,) = indexed.lines("suggest", warm[4])
    assert line["suggestions"] == []
    assert indexed.lines("list", "tag:sun")[-1]["path"] == str(warm[3])
    indexed("accept", warm[4], code=1)
    assert "focal suggest" in indexed.err


def test_metrics_and_use(indexed: Here, album: Album) -> None:
    indexed("tag", *(album.path(f"warm/{i}.jpg") for i in range(5)), "+sun")
    indexed("tag", *(album.path(f"cold/{i}.jpg") for i in range(5)), "+ice")
    indexed("train", "--learner", "kernel-stepwise", "--without-judgements")
    assert indexed.json("metrics")["current"] == "kernel-stepwise-1"
    assert indexed.json("metrics", "--use", "euclidean")["current"] == "euclidean"
    indexed("train", "--without-tags", code=1)
    assert "nothing to learn from" in indexed.err
    indexed("train", "--learner", "smell", code=1)
    assert "choose one of kernel" in indexed.err


@pytest.mark.parametrize(
    ("learner", "parameter"),
    [("rca", "ridge=0.3"), ("kernel-weighted", "euclidean_blend=0.25"), ("bdm", "rounds=40"), ("oasis", "epochs=1")],
)
def test_any_learner_is_trained_ranks_and_suggests(indexed: Here, album: Album, learner: str, parameter: str) -> None:
    for kind, tag in (("warm", "+sun"), ("cold", "+ice")):
        indexed("tag", *(album.path(f"{kind}/{i}.jpg") for i in range(4)), tag)
    trained = indexed.json("train", "--learner", learner, "--parameter", parameter)
    assert (trained["metric"], trained["tagged"]) == (f"{learner}-1", 8)
    ranked = indexed.json("rank", album.path("warm/4.jpg"))
    assert ranked["metric"] == f"{learner}-1"
    assert [Path(one["path"]).parent.name for one in ranked["results"]] == ["warm"] * 4 + ["cold"] * 5
    (line,) = indexed.lines("suggest", album.path("warm/4.jpg"))
    assert line["suggestions"][0]["tag"] == "sun"
    (_, shown) = indexed.json("metrics")["metrics"]
    assert shown["metric"] == f"{learner}-1"
    if learner == "kernel-weighted":
        assert shown["families"] == trained["families"]
        assert set(shown["families"]) == {"color_moments", "color_coherence", "gabor"}
        assert "gabor 3" in indexed("metrics")
    else:
        assert "families" not in shown


def test_what_can_be_trained_is_listed_with_its_parameters(indexed: Here) -> None:
    listed = {one["name"]: one for one in indexed.json("metrics", "--learners")["learners"]}
    assert listed["rca"]["parameters"] == {
        "ridge": 0.1,
        "euclidean_blend": 0.25,
        "output_components": 256,
        "unit": "auto",
    }
    assert set(listed["rca"]) == {"name", "title", "family", "text", "needs", "source", "parameters"}
    text = indexed("metrics", "--learners")
    assert all(f"  {name} " in text for name in listed)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [("ridge", "write NAME=VALUE"), ("ridge=much", "must be a number"), ("smell=1", "no parameter 'smell'")],
)
def test_a_wrong_parameter_says_what_is_wrong(indexed: Here, assignment: str, message: str) -> None:
    indexed("train", "--learner", "rca", "--parameter", assignment, code=1)
    assert message in indexed.err


def test_export(indexed: Here, album: Album, tmp_path: Path) -> None:
    rows = list(csv.DictReader(indexed("export").splitlines()))
    assert len(rows) == 10
    target = tmp_path / "out.csv"
    assert indexed.json("export", "--output", target, "--format", "csv", "--query", "path:warm") == {
        "file": str(target),
        "lines": 5,
    }
    assert len(target.read_text().splitlines()) == 6
    assert len(indexed.lines("export")) == 10
    indexed("export", "--output", tmp_path / "no" / "out.csv", code=1)
    assert "No such file" in indexed.err


def test_wrong_use(indexed: Here, album: Album, tmp_path: Path) -> None:
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
        ["rank", one, "--limit", "0"],
        ["export", "--json", "--format", "csv"],
        ["export", "--what", "judgements", "--query", "x"],
        ["undo", "more"],
    ):
        assert indexed(*arguments, code=2) == ""
        assert len(indexed.err.splitlines()) == 1
        assert "--help" in indexed.err


def test_undo_and_redo_of_nothing(indexed: Here) -> None:
    assert indexed.json("undo") == {"undone": None}
    assert indexed("redo") == "Nothing to redo.\n"


def test_check_finds_and_repairs(indexed: Here, album: Album) -> None:
    for file in (indexed.library / "derived" / "vectors").glob("color_moments*"):
        content = bytearray(file.read_bytes())
        if len(content) > 4000:
            content[-10] ^= 0xFF
            file.write_bytes(content)
    report = indexed.json("check")
    assert report["problems"] == []
    assert report["repaired"]
    assert indexed.json("check") == {"problems": [], "repaired": []}


def test_a_damaged_catalogue_is_one_line(indexed: Here) -> None:
    file = indexed.library / "catalog.sqlite"
    content = bytearray(file.read_bytes())
    content[4096:12288] = os.urandom(8192)
    file.write_bytes(content)
    indexed("list", code=1)
    assert "damaged" in indexed.err
    assert len(indexed.err.splitlines()) == 1


def test_demo(here: Here, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = here.json("demo", tmp_path / "album", "--count", "8")
    assert (report["photos"], report["new"], report["tagged"]) == (8, 8, 6)
    assert report["library"] == str(here.library)
    capsys.readouterr()
    assert main(["demo", str(tmp_path / "album"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["library"] == str(tmp_path / "album.library")


def test_a_second_command_waits_for_the_first_to_end(indexed: Here, album: Album) -> None:
    commands = [
        subprocess.Popen(
            [*FOCAL, "tag", str(album.path("warm/0.jpg")), f"+t{i}", "--library", str(indexed.library)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        for i in range(3)
    ]
    for command in commands:
        _, err = command.communicate(timeout=60)
        assert command.returncode == 0, err
    assert indexed.lines("list", "tagged")[0]["tags"] == ["t0", "t1", "t2"]


# ---------------------------------------------------------------- descriptors and settings
def test_descriptors_are_listed_and_switched(indexed: Here, album: Album) -> None:
    listed = indexed.json("descriptors")["descriptors"]
    fields = {"name", "title", "kind", "on", "dimension", "learned_from", "key", "photos", "bytes"}
    assert all(set(one) == fields for one in listed)
    moments = {one["name"]: one for one in listed}["color_moments"]
    assert (moments["on"], moments["kind"], moments["dimension"], moments["photos"]) == (True, "global", 225, 10)
    assert moments["bytes"] > 10 * 4 * 225
    assert moments["key"].startswith("color_moments-")
    switched = indexed.json("descriptors", "--off", "gabor,color_coherence")["descriptors"]
    assert {one["name"] for one in listed} - {one["name"] for one in switched if one["on"]} >= {
        "gabor",
        "color_coherence",
    }
    assert "* color_moments" in indexed("descriptors", "--on", "gabor")
    indexed("index", "--descriptors", "color_moments,gabor")
    on = [one["name"] for one in indexed.json("descriptors")["descriptors"] if one["on"]]
    assert on == ["color_moments", "gabor"]
    assert len(indexed.json("rank", album.path("warm/0.jpg"))["results"]) == 9
    indexed("index", "--descriptors", "standard")
    standard = indexed.json("descriptors", "--standard")["descriptors"]
    assert {one["name"] for one in standard if one["on"]} == set(STANDARD)
    assert {one["photos"] for one in standard if one["on"]} == {10}


def test_a_network_is_added_used_and_removed(indexed: Here, album: Album, tmp_path: Path) -> None:
    file = write_network(tmp_path / "net.onnx")
    indexed("index", "--descriptors", "color_moments")
    more = ("--name", "net", "--size", "8x8", "--mean", "124,116,104", "--scale", "0.02", "--channels", "BGR")
    added = indexed.json("descriptors", "--add-network", file, *more)["descriptors"][-1]
    assert (added["name"], added["kind"], added["on"], added["dimension"]) == ("net", "network", True, 5)
    (kept,) = indexed.json("settings", "networks")["value"]
    assert (kept["file"], kept["mean"], kept["channels"]) == (str(file), [124, 116, 104], "BGR")
    indexed("index")
    assert indexed.json("descriptors")["descriptors"][-1]["photos"] == 10
    assert len(indexed.json("rank", album.path("warm/0.jpg"))["results"]) == 9
    file.unlink()
    indexed("index", code=1)
    assert "--remove-network net" in indexed.err
    indexed("descriptors", "--remove-network", "net")
    indexed("index")
    assert "net" not in [one["name"] for one in indexed.json("descriptors")["descriptors"]]


def test_settings_are_shown_and_changed(indexed: Here) -> None:
    every = indexed.json("settings")["settings"]
    assert [one["name"] for one in every][:3] == ["decode.megapixels", "decode.megabytes", "decode.seconds"]
    assert all(set(one) == {"name", "value", "default", "title", "help"} for one in every)
    assert "decode.megapixels = 300" in indexed("settings")
    assert indexed.json("settings", "decode.megapixels", "50")["value"] == 50
    assert indexed("settings", "decode.megapixels").startswith("decode.megapixels = 50\n")
    assert indexed.json("settings", "decode.megapixels", "--default")["value"] == 300
    assert indexed.json("settings", "descriptors", "gabor,color_moments")["value"] == ["color_moments", "gabor"]
    assert indexed.json("settings", "descriptors", "standard")["value"] is None
    assert indexed.json("settings", "networks", "[]")["value"] == []


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("settings", "color"), 1, "no setting 'color'"),
        (("settings", "decode.seconds", "long"), 1, "a number from 1 to 3600"),
        (("settings", "descriptors", "smell"), 1, "no descriptor 'smell'; there are color_moments"),
        (("settings", "--default"), 2, "name it"),
        (("descriptors", "--on", "smell"), 1, "no descriptor 'smell'"),
        (("descriptors", "--name", "net"), 2, "--add-network FILE"),
        (("descriptors", "--standard", "--on", "gabor"), 2, "leave --on"),
        (("descriptors", "--add-network", "net.onnx"), 2, "--name NAME"),
        (("descriptors", "--add-network", "/nowhere/net.onnx", "--name", "net"), 1, "There is no file net.onnx"),
        (("descriptors", "--add-network", "net.onnx", "--name", "net", "--size", "big"), 2, "224x224"),
        (("descriptors", "--add-network", "net.onnx", "--name", "net", "--mean", "1,2"), 2, "nor three"),
        (("descriptors", "--remove-network", "net"), 1, "no network 'net'"),
        (("index", "--descriptors", "smell"), 1, "no descriptor 'smell'"),
        (("index", "--descriptors", ","), 2, "standard, or all"),
        (("index", "--scheduler", "tcp://127.0.0.1:1"), 2, "add --backend dask"),
        (("index", "--backend", "dask"), 2, "add --scheduler"),
        (("index", "--backend", "smoke"), 1, "'smoke' cannot be used"),
    ],
)
def test_wrong_descriptors_and_settings_are_named(
    indexed: Here, album: Album, arguments: tuple[str, ...], code: int, message: str
) -> None:
    album.draw("new.jpg")
    indexed(*arguments, code=code)
    assert message in indexed.err
    assert len(indexed.err.strip().splitlines()) == 1


# ---------------------------------------------------------------- terminal
class Screen:
    """A text stream that says it is a terminal."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True


def test_progress_rewrites_one_line_and_leaves_nothing() -> None:
    screen = Screen()
    clock = iter(range(1000))
    terminal = Terminal(as_json=False, err=screen, clock=lambda: float(next(clock)))  # type: ignore[arg-type]

    def job() -> Any:
        for done in range(4):
            yield Progress("Reading photos", done, 3, 12.3, 5.0)
        return "end"

    assert terminal.run(job()) == "end"
    assert "\n" not in screen.written
    assert "Reading photos 3/3, 12/s, 5 s left" in screen.written
    assert screen.written.endswith("\r")


def test_progress_and_durations_in_words() -> None:
    assert describe(Progress("Looking", 7)) == "Looking 7"
    assert describe(Progress("Reading", 7, 9, 0.5, 400.0)) == "Reading 7/9, 0.5/s, 7 min left"
    assert [duration(seconds) for seconds in (5, 99, 100, 9000)] == ["5 s", "99 s", "2 min", "2.5 h"]


def test_a_lost_catalogue_of_a_used_library_is_one_line(indexed: Here, album: Album) -> None:
    file = indexed.library / "catalog.sqlite"
    for lose in (file.unlink, file.touch):
        lose()
        for arguments in (["check"], ["list"], ["index", album.folder]):
            indexed(*arguments, code=1)
            assert "damaged" in indexed.err
            assert len(indexed.err.splitlines()) == 1
    assert list((indexed.library / "derived" / "vectors").glob("*.index"))


def test_an_import_that_takes_nothing_in_fails(indexed: Here, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    for command, text in (
        ("tag", f"file,tags\nnone.jpg,x\n{album.path('warm/0.jpg')},a//b\n"),
        ("judge", "focal,other,verdict\nnone.jpg,nil.jpg,similar\n"),
    ):
        table.write_text(text)
        assert indexed.json(command, "--from-csv", table, code=1)["changed"] == 0
        assert len(indexed.err.splitlines()) == 1
        assert indexed.err.startswith("focal: ")
    table.write_text("file,tags\n")
    assert indexed.json("tag", "--from-csv", table)["lines"] == 0
    table.write_text(f"file,tags\n{album.path('warm/0.jpg')},sun\n")
    for changed in (1, 0):  # what is there already was taken in too
        assert indexed.json("tag", "--from-csv", table)["changed"] == changed


def test_an_export_outside_of_the_photo_folder_is_imported(indexed: Here, album: Album, tmp_path: Path) -> None:
    table = tmp_path / "exp.csv"
    indexed("tag", album.path("warm/0.jpg"), "+sun")
    indexed("export", "--output", table)
    indexed("undo")
    report = indexed.json("tag", "--from-csv", table)
    assert (report["changed"], report["unknown"]) == (1, [])


def test_rank_leaves_missing_photos_out_and_knows_a_copy(indexed: Here, album: Album, tmp_path: Path) -> None:
    gone, photo = album.path("warm/4.jpg"), album.path("warm/0.jpg")
    gone.unlink()
    indexed("index")
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(photo.read_bytes())
    for image in (photo, copy):
        ranked = indexed.json("rank", image)
        assert ranked["focal"] == str(photo)
        assert len(ranked["results"]) == 8
        assert not {str(gone), str(photo)} & {one["path"] for one in ranked["results"]}
    assert str(gone) not in indexed("rank", photo, "--query", "path:warm")
    assert str(gone) in indexed("rank", photo, "--query", "missing")


def test_tags_are_echoed_as_stored_and_may_not_contradict(indexed: Here, album: Album) -> None:
    photo = album.path("warm/0.jpg")
    report = indexed.json("tag", photo, "+ big  sea ", "- a / b")
    assert (report["add"], report["remove"]) == (["big sea"], ["a/b"])
    assert indexed("tag", photo, "+p", "-p ", code=2) == ""
    assert "+p" in indexed.err
    assert len(indexed.err.splitlines()) == 1
