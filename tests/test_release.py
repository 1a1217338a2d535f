# SPDX-License-Identifier: MIT
"""What a release says of itself is the same everywhere, and CI runs nothing that can change under its name."""

from __future__ import annotations

import re
import runpy
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest
import yaml

ROOT: Final = Path(__file__).resolve().parent.parent
URL_TYPES: Final = {"Homepage": "homepage", "Repository": "vcs-browser", "Issues": "bugtracker"}
"""Names of addresses in pyproject.toml, and their types in the desktop's metadata."""


@pytest.fixture
def project() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as opened:
        found: dict[str, Any] = tomllib.load(opened)["project"]
    return found


@pytest.fixture
def citation() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def component() -> ElementTree.Element:
    return ElementTree.parse(ROOT / "resources/desktop/org.focal_photos.Focal.metainfo.xml").getroot()


def test_version_and_date_agree(
    project: dict[str, Any], citation: dict[str, Any], component: ElementTree.Element
) -> None:
    latest = component.find("releases/release")
    assert latest is not None
    assert latest.get("version") == citation["version"] == project["version"]
    assert latest.get("date") == str(citation["date-released"])


def test_licence_and_addresses_agree(
    project: dict[str, Any], citation: dict[str, Any], component: ElementTree.Element
) -> None:
    assert component.findtext("project_license") == citation["license"] == project["license"]
    urls = {URL_TYPES[name]: url for name, url in project["urls"].items() if name in URL_TYPES}
    assert {url.get("type"): url.text for url in component.findall("url")} == urls
    assert citation.get("repository-code") == project["urls"].get("Repository")
    assert citation.get("url") == project["urls"].get("Homepage")


def test_the_five_papers_are_cited(citation: dict[str, Any]) -> None:
    first = {(work["authors"][0]["family-names"], work["year"]) for work in citation["references"]}
    assert first == {("Frome", 2006), ("Chang", 2006), ("Qi", 2009), ("Yang", 2010), ("Xia", 2013)}


def test_every_python_file_states_its_licence(project: dict[str, Any]) -> None:
    tops = ("browser", "features", "learners", "focal_photos", "resources", "tests", ".ci")
    files = [file for top in tops for file in (ROOT / top).rglob("*.py") if "generated" not in file.parts]
    assert len(files) > 1000
    line = "# {}-License-Identifier: {}".format("SPDX", project["license"])  # reuse lint reads this file too
    heads = {file: file.read_text(encoding="utf-8").splitlines()[:2] for file in files}
    assert [str(file) for file, head in heads.items() if line not in head] == []


def test_workflows_name_actions_by_their_hashes() -> None:
    files = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    used = [line for file in files for line in file.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    assert used
    assert [line for line in used if not re.search(r"uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)] == []


def test_the_order_of_members_does_not_change_an_archive(tmp_path: Path) -> None:
    sort_members = runpy.run_path(str(ROOT / "resources" / "packaging" / "release.py"))["sort_members"]
    files = [tmp_path / "one.zip", tmp_path / "other.zip"]
    for file, names in zip(files, ("abc", "cab"), strict=True):
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
            for name in names:
                written.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), name * 100)
    assert files[0].read_bytes() != files[1].read_bytes()
    for file in files:
        sort_members(file)
    assert files[0].read_bytes() == files[1].read_bytes()
    with zipfile.ZipFile(files[0]) as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == {name: name.encode() * 100 for name in "abc"}
