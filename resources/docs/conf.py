# SPDX-License-Identifier: MIT
"""Configuration of the documentation site (`make docs`).

The source folder is the root of the repository, so that links between the guide, the algorithms and the measurements
work here as they do in the checkout. Generated pages and pictures are in ``resources/docs/generated``.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from docutils.transforms import Transform
from sphinx.application import Sphinx

ROOT: Final = Path(__file__).resolve().parents[2]

with (ROOT / "pyproject.toml").open("rb") as opened:
    _project: Final[dict[str, Any]] = tomllib.load(opened)["project"]

project = "Focal"
author = _project["authors"][0]["name"]
project_copyright = f"2026 {author}"
version = release = _project["version"]
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
root_doc = "resources/docs/index"
include_patterns = [
    "resources/docs/**",
    "resources/guide/*.md",
    "learners/*.md",
    "tests/benchmarks/results/*.md",
    "CHANGELOG.md",
]
exclude_patterns = ["build", "dist", ".*", "focal_photos", "resources/docs/templates", "resources/docs/gallery"]
templates_path = [str(ROOT / "resources" / "docs" / "templates")]
nitpicky = False

# --------------------------------------------------------------------------- chapters
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
highlight_language = "none"  # indented blocks are commands; others name their language
suppress_warnings = ["myst.header"]  # each file of measurements begins with a heading of the second level

# --------------------------------------------------------------------------- API pages
autosummary_generate = True
autodoc_typehints = "none"  # numpydoc's sections state the types
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# --------------------------------------------------------------------------- gallery
sphinx_gallery_conf = {
    "examples_dirs": "resources/docs/gallery",
    "gallery_dirs": "resources/docs/generated/gallery",
    "filename_pattern": r"[/\\]plot_",
    "show_memory": False,
    "show_signature": False,
    "download_all_examples": False,
    "min_reported_time": 1000,
    "reset_modules": (),
    "write_computation_times": False,
    "abort_on_example_error": True,
}

# --------------------------------------------------------------------------- pages
html_theme = "furo"
html_title = f"Focal {release}"
html_logo = "../icons/focal-app.svg"
html_favicon = "../icons/focal-app.svg"
html_static_path = ["static"]
html_css_files = ["focal.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2a63c4", "color-brand-content": "#2a63c4"},
    "dark_css_variables": {"color-brand-primary": "#82aaff", "color-brand-content": "#82aaff"},
}


class CheckoutLinks(Transform):  # type: ignore[misc]  # docutils has no types
    """Turns links to folders and to pages for developers into plain text: the site does not contain them."""

    default_priority = 1

    def apply(self) -> None:
        """Replace the links of one document."""
        folder = Path(self.document["source"]).parent
        for link in list(self.document.findall(nodes.Element)):
            target = link.get("reftarget", link.get("refuri", ""))
            if not target or "://" in target or target.startswith("#"):
                continue
            path = (folder / target.partition("#")[0]).resolve()
            if path.is_dir() or (path.name in {"CONTRIBUTING.md", "README.md"} and path.parent == ROOT):
                link.replace_self(link.children)


def show_new_pictures(_app: Sphinx, page: str, source: list[str]) -> None:
    """Let the tutorials show the pictures of this build instead of those in the window's guide."""
    if page.startswith("resources/guide/"):
        source[0] = source[0].replace("](pictures/", "](../docs/generated/pictures/")


def setup(app: Sphinx) -> None:
    """Register the transform and the pictures."""
    app.add_transform(CheckoutLinks)
    app.connect("source-read", show_new_pictures)
