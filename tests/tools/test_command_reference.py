# SPDX-License-Identifier: MIT
"""The manual page and the page about commands contain every argument."""

from __future__ import annotations

from focal_photos.browser.cli.commands import COMMANDS
from tests.tools.command_reference import MANUAL, arguments_of, manual, page, parser_of, usage_of


def test_the_manual_page_is_current() -> None:
    assert MANUAL.read_text(encoding="utf-8") == manual(), "python -m tests.tools.command_reference"


def test_the_pages_contain_every_argument() -> None:
    site, man = page(), manual()
    for name in COMMANDS:
        for one in arguments_of(parser_of(name)):
            assert one.text, f"{name} {one.written}"
            assert f"`{one.written}`".replace("|", "\\|") in site or one.is_common
            assert f".B {one.written}".replace("-", "\\-") in man or one.is_common


def test_usage_names_positional_arguments() -> None:
    assert usage_of("undo") == "focal undo [OPTION...]"
    assert usage_of("tags") == "focal tags [OPTION...]"
    assert usage_of("completion") == "focal completion bash|zsh|fish"
    assert usage_of("relocate") == "focal relocate [OPTION...] OLD NEW"
