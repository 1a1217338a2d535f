# SPDX-License-Identifier: MIT
"""Walkthrough of all features in the real window by keys and mouse, with a picture of the window after each step."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.views.base.theme import ThemeChoice
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, SHIFT, DriverError, WindowDriver, pause

_MOST_TAGGED: Final = 6
"""Largest number of photos tagged in each folder."""

_JUDGED: Final = 12
"""Number of photos judged, and of suggestions answered."""

_COMPARED: Final = 20
"""Number of first photos in a ranking among which similar ones are counted."""


def walk_through(window: MainWindow, out: Path, folder: Path, report: Callable[[str], None]) -> int:
    """Drive a window through all steps: open, tag, rank, judge, train, suggest, undo, go back, filter, look.

    Parameters
    ----------
    window : MainWindow
        Window of an empty library; it is closed at the end.
    out : Path
        Folder for the pictures, ``01-welcome.png`` and so on.
    folder : Path
        Photos to open. Those of one subfolder count as similar.
    report : callable
        Called with one line for each step.

    Returns
    -------
    int
        0 if every step had the expected outcome, else 1.
    """
    walk = Walkthrough(window, out, report)
    try:
        walk.run(folder)
    except DriverError as error:
        report(f"FAILED: {error}")
        walk.picture("failed")
        return 1
    finally:
        window.close()
    report(f"Pictures of each step: {out}")
    return 0


class Walkthrough(WindowDriver):
    """The steps, with their checks and pictures."""

    def __init__(self, window: MainWindow, out: Path, report: Callable[[str], None]) -> None:
        super().__init__(window)
        self._out = out
        self._report = report
        self._number = 0

    def run(self, folder: Path) -> None:
        """Run all steps."""
        self.open(folder)
        self.tag()
        before = self.rank()
        self.judge()
        self.retrain(before)
        self.suggest()
        self.undo_and_redo()
        self.walk_back_and_forward()
        self.filter()
        self.look_around()

    # ------------------------------------------------------------------ steps
    def open(self, folder: Path) -> None:
        """Open the folder and wait until it is indexed."""
        window = self.window
        window.resize(1600, 1000)
        window.show()
        self.session.start()
        self.wait_until_idle("the empty library")
        self.check(self.session.overview.now.photos == 0, "the library is not empty: name another one")
        self.step("The window is open: a welcome and a way to open a folder", "welcome")
        started = time.monotonic()
        window.dialogs.open_folders([folder])
        self.wait_until_idle("indexing", 900)
        self.check(self.session.overview.now.photos > 0, "no photo was indexed")
        seconds = time.monotonic() - started
        count = grouped(self.session.overview.now.photos)
        self.step(f"Opened {folder.name}: {count} photos indexed in {seconds:.0f} s", "indexed")

    def tag(self) -> None:
        """Tag some photos of each folder: select by mouse, T, type, Enter."""
        folders = self.folders()
        for name, photo_ids in folders.items():
            rows = self.session.grid.rows_of(photo_ids)[: _count_to_tag(photo_ids)]
            self.click(rows[0], CTRL)
            self.click(rows[-1], SHIFT)
            self.press(Qt.Key.Key_T)
            self.type(name)
            self.press(Qt.Key.Key_Return)
            self.wait_until_idle("tagging")
            self.press(Qt.Key.Key_Escape)  # leave the field
            self.press(Qt.Key.Key_Escape)  # clear the selection
        tagged = self.session.overview.now.photos - self.session.overview.now.untagged
        self.check(tagged >= len(folders), "the photos were not tagged")
        some = [row for photo_ids in list(folders.values())[:2] for row in self.session.grid.rows_of(photo_ids)[:4]]
        for row in some:
            self.click(row, CTRL)
        self.wait_until_idle("the tags of the selection")
        mixed = sum(count < len(some) for _, count in self.session.tagging.target_tags.now.counts)
        self.step(
            f"Tagged {tagged} photos with {len(folders)} tags; {len(some)} selected, {mixed} tags mixed", "tagged"
        )
        self.press(Qt.Key.Key_Escape)

    def rank(self) -> int:
        """Double-click a photo to make it the focal image. Return the number of similar photos among the first."""
        photo_ids = list(self.folders().values())[-1]
        self.walk(self.session.grid.rows_of(photo_ids)[_count_to_tag(photo_ids)])
        self.wait_until(lambda: self.navigator.focal is not None, "the ranking")
        self.wait_until_idle("the pictures")
        expected = self.session.overview.now.photos - self.session.overview.now.failed_photos - 1
        found = len(self.session.grid.ids) + self.session.grid.folded
        self.check(found == expected, f"the ranking holds {found} of {expected} other photos")
        similar = self.count_similar()
        self.step(f"Clicked {self.focal_name()}: ranked, {similar} of the first {_COMPARED} are alike", "focal")
        return similar

    def judge(self) -> None:
        """Judge the first photos with S and D, with the pointer over the tile."""
        for row in range(_JUDGED):
            self.hover(row)
            same = self.folder_name(self.session.grid.photo_id(row)) == self.folder_name(self.focal_id())
            self.press(Qt.Key.Key_S if same else Qt.Key.Key_D)
            self.wait_until_idle("judging")
        verdicts = Counter(self.navigator.marks.values())
        self.check(sum(verdicts.values()) == _JUDGED, "the judgements were not taken")
        text = f"Judged {verdicts[Verdict.SIMILAR]} as similar (S) and {verdicts[Verdict.DISSIMILAR]} as not (D)"
        self.step(f"{text}: {self.window.top_bar.retrain_button.text()}", "judged")

    def retrain(self, before: int) -> None:
        """Train a metric with Ctrl+R, and check that the ranking follows."""
        self.press(Qt.Key.Key_R, CTRL)
        self.wait_until_idle("training", 300)
        message = self.window.message_bar.message
        if message is not None and message.action is MessageAction.TRAINED_METRIC:
            self.session.jobs.training.use_nevertheless()  # the improvement shows on the shown photos
            self.wait_until_idle("the metric", 300)
        metric = self.session.overview.now.metric
        if metric is None or metric.file is None:
            raise DriverError("no metric was trained")
        self.check(self.navigator.shown.metric == metric, "the ranking does not follow the new metric")
        text = f"Retrained: {metric.title}; alike among the first {_COMPARED}: "
        self.step(f"{text}{before} before, {self.count_similar()} after", "retrained")

    def suggest(self) -> None:
        """Request suggestions with Ctrl+G, accept with A and reject with X."""
        self.press(Qt.Key.Key_G)
        self.wait_until_idle("the order of the folders")
        self.press(Qt.Key.Key_G, CTRL)
        self.wait_until_idle("suggesting", 300)
        suggested = self.session.overview.now.open_suggestions
        self.check(suggested > 0, "no tag was suggested")
        self.step(f"Suggested {suggested} tags for {self.session.overview.now.suggested_photos} photos", "suggested")
        accepted = rejected = 0
        self.window.right_column.suggestions.list.setFocus()
        while accepted + rejected < _JUDGED and (row := self.window.right_column.suggestions.list.current_row()):
            right = row.suggestion.tag == row.card.photo.path.parent.name
            accepted, rejected = accepted + right, rejected + (not right)
            self.press(Qt.Key.Key_A if right else Qt.Key.Key_X)
            self.wait_until_idle("the answer")
        left = self.session.overview.now.open_suggestions
        self.check(left <= suggested - accepted - rejected, "the answers were not taken")  # some exclude others
        self.step(f"Accepted {accepted} (A) and rejected {rejected} (X); {left} wait", "answered")

    def undo_and_redo(self) -> None:
        """Press Ctrl+Z twice and Ctrl+Shift+Z once."""
        labels = []
        for _ in range(2):
            labels.append(self.session.overview.now.undo or "")
            self.press(Qt.Key.Key_Z, CTRL)
            self.wait_until_idle("undo")
        redone = self.session.overview.now.redo
        self.check(redone == labels[-1], "undo did not take the last action back")
        self.press(Qt.Key.Key_Z, CTRL | SHIFT)
        self.wait_until_idle("redo")
        self.check(self.session.overview.now.redo == labels[0], "redo did not do it again")
        self.step(f"Undid {_quoted(labels)}; did {_quoted([redone or ''])} again", "undone")

    def walk_back_and_forward(self) -> None:
        """Go back along the trail with Alt+Left, and on to another focal image."""
        self.window.focus_photos()
        self.press(Qt.Key.Key_Left, ALT)
        self.wait_until_idle("back")
        there = self.navigator.focal
        self.check(there is not None, "Alt+Left did not return to the focal image")
        self.walk(2)
        self.wait_until_idle("the next focal image")
        self.check(self.navigator.trail.can_go_back, "the walk left no trail")
        steps = " > ".join(step.label for step in self.navigator.trail.steps)
        self.step(f"Went back with Alt+Left and walked on: {steps}", "trail")

    def filter(self) -> None:
        """Filter with Ctrl+F: only untagged photos stay in the ranking."""
        self.press(Qt.Key.Key_F, CTRL)
        self.type("untagged")
        self.press(Qt.Key.Key_Return)
        self.wait_until_idle("the filter")
        shown = len(self.session.grid.ids)
        self.check(0 < shown <= self.session.overview.now.untagged, "the filter shows the wrong photos")
        self.step(f"Filtered by {_quoted(['untagged'])}: {shown} photos stay in the ranking", "filtered")

    def look_around(self) -> None:
        """Show a single photo, the list of keys, and the light theme."""
        self.window.focus_photos()
        self.hover(0)
        self.press(Qt.Key.Key_E)
        self.wait_until_idle("the photo")
        self.step("Looked at one photo alone (E)", "single")
        self.press(Qt.Key.Key_Escape)
        self.press(Qt.Key.Key_Question)
        pause(100)
        dialogs = [dialog for dialog in self.window.findChildren(QDialog) if dialog.isVisible()]
        self.check(bool(dialogs), "the keys were not shown")
        self.step("Listed all keys (?)", "keys", dialogs[0])
        dialogs[0].close()
        self.window.view_menu.choose_theme(ThemeChoice.LIGHT)
        self.wait_until_idle("the light theme")
        self.step("Changed to the light theme", "light")

    # ------------------------------------------------------------------ contents of the screen
    def folders(self) -> dict[str, list[int]]:
        """Return the readable photos shown by folder, in grid order, for folders with at least two."""
        found: dict[str, list[int]] = {}
        for photo in self.session.library.photos.get(self.session.grid.ids.tolist()):
            if photo.failure is None and not photo.missing:
                found.setdefault(photo.path.parent.name, []).append(photo.id)
        found = {name: ids for name, ids in found.items() if len(ids) > 1}
        if not found:
            raise DriverError("no folder has two photos that can be read")
        return found

    def folder_name(self, photo_id: int) -> str:
        """Return the name of a photo's folder, which names its subject."""
        return self.session.library.photos.get([photo_id])[0].path.parent.name

    def count_similar(self) -> int:
        """Return the number of first photos in the ranking that are in the focal image's folder."""
        folder = self.folder_name(self.focal_id())
        return sum(self.folder_name(photo_id) == folder for photo_id in self.session.grid.ids[:_COMPARED].tolist())

    def focal_id(self) -> int:
        """Return the focal image."""
        if self.navigator.focal_id is None:
            raise DriverError("there is no focal image")
        return self.navigator.focal_id

    # ------------------------------------------------------------------ checks and pictures
    def check(self, right: bool, wrong: str) -> None:
        """Raise `DriverError` with the text `wrong` unless `right`."""
        if not right:
            raise DriverError(wrong)

    def step(self, text: str, name: str, widget: QWidget | None = None) -> None:
        """Report a step and save its picture."""
        self._number += 1
        self._report(f"{self._number:2}. {text}")
        self.picture(name, widget)

    def picture(self, name: str, widget: QWidget | None = None) -> None:
        """Save a picture of the window."""
        path = self._out / f"{self._number:02}-{name}.png"
        if not (widget or self.window).grab().save(str(path)):
            raise DriverError(f"the picture {path} could not be written")


def _count_to_tag(photo_ids: Sequence[int]) -> int:
    """Return the number of photos to tag in a folder: half of them, within limits."""
    return max(1, min(_MOST_TAGGED, len(photo_ids) // 2))


def _quoted(texts: Sequence[str]) -> str:
    """Return texts in quotation marks."""
    return ", ".join(f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}" for text in texts)
