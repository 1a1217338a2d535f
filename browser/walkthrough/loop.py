"""The whole loop, gone through in the real window by keys and mouse, with a picture of the window after each step."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from browser.catalog.facts.records import Verdict
from browser.models.photos.texts import grouped
from browser.views.base.theme import ThemeChoice
from browser.views.window.main_window import MainWindow
from browser.walkthrough.keys_and_mouse import ALT, CTRL, SHIFT, Hands, HandsError, pause

TAGGED_A_FOLDER: Final = 6
JUDGED: Final = 12
LOOKED_AT: Final = 20


def walk_through(window: MainWindow, out: Path, folder: Path, report: Callable[[str], None]) -> int:
    """Drive a window through the loop.

    Parameters
    ----------
    window : MainWindow
        On an empty library; it is closed at the end.
    out : Path
        Folder for the pictures, ``01-welcome.png`` and so on.
    folder : Path
        Photos to open. Those of one subfolder count as alike for the person that is played here.
    report : callable
        Gets one line for each step.

    Returns
    -------
    int
        0 if every step came out as it should, else 1.
    """
    walk = _Walk(window, out, report)
    try:
        walk.run(folder)
    except HandsError as error:
        report(f"FAILED: {error}")
        walk.picture("failed")
        return 1
    finally:
        window.close()
    report(f"Pictures of each step: {out}")
    return 0


class _Walk(Hands):
    """The person at the keyboard."""

    def __init__(self, window: MainWindow, out: Path, report: Callable[[str], None]) -> None:
        super().__init__(window)
        self._out = out
        self._report = report
        self._number = 0

    def run(self, folder: Path) -> None:
        """Go through all steps."""
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
        self.settle("the empty library")
        self.check(self.session.overview.photos == 0, "the library is not empty: name another one")
        self.step("The window is open: a welcome and a way to open a folder", "welcome")
        started = time.monotonic()
        window.open_folders([folder])
        self.settle("indexing", 900)
        self.check(self.session.overview.photos > 0, "no photo was indexed")
        seconds = time.monotonic() - started
        count = grouped(self.session.overview.photos)
        self.step(f"Opened {folder.name}: {count} photos indexed in {seconds:.0f} s", "indexed")

    def tag(self) -> None:
        """Tag some photos of each folder: select by mouse, T, type, Enter."""
        folders = self.folders()
        for name, photo_ids in folders.items():
            rows = self.session.grid.rows_of(photo_ids)[: share(photo_ids)]
            self.click(rows[0], CTRL)
            self.click(rows[-1], SHIFT)
            self.key(Qt.Key.Key_T)
            self.type(name)
            self.key(Qt.Key.Key_Return)
            self.settle("tagging")
            self.key(Qt.Key.Key_Escape)  # leaves the field
            self.key(Qt.Key.Key_Escape)  # leaves the selection
        tagged = self.session.overview.photos - self.session.overview.untagged
        self.check(tagged >= len(folders), "the photos were not tagged")
        some = [row for photo_ids in list(folders.values())[:2] for row in self.session.grid.rows_of(photo_ids)[:4]]
        for row in some:
            self.click(row, CTRL)
        self.settle("the tags of the selection")
        mixed = sum(count < len(some) for _, count in self.session.target_tags.counts)
        self.step(
            f"Tagged {tagged} photos with {len(folders)} tags; {len(some)} selected, {mixed} tags mixed", "tagged"
        )
        self.key(Qt.Key.Key_Escape)

    def rank(self) -> int:
        """Click a photo: it becomes the focal image. Returns how many of the first ones are alike."""
        photo_ids = list(self.folders().values())[-1]
        self.click(self.session.grid.rows_of(photo_ids)[share(photo_ids)])
        self.until(lambda: self.navigator.focal is not None, "the ranking")
        self.settle("the pictures")
        expected = self.session.overview.photos - self.session.overview.failed_photos - 1
        self.check(len(self.session.grid.ids) == expected, "the ranking does not hold all other photos")
        alike = self.alike()
        self.step(f"Clicked {self.focal_name()}: ranked, {alike} of the first {LOOKED_AT} are alike", "focal")
        return alike

    def judge(self) -> None:
        """Judge the first ones with S and D, the tile under the pointer."""
        for row in range(JUDGED):
            self.hover(row)
            same = self.kind(self.session.grid.photo_id(row)) == self.kind(self.focal_id())
            self.key(Qt.Key.Key_S if same else Qt.Key.Key_D)
            self.settle("judging")
        verdicts = Counter(self.navigator.marks.values())
        self.check(sum(verdicts.values()) == JUDGED, "the judgements were not taken")
        text = f"Judged {verdicts[Verdict.SIMILAR]} as similar (S) and {verdicts[Verdict.DISSIMILAR]} as not (D)"
        self.step(f"{text}: {self.window.top_bar.retrain_button.text()}", "judged")

    def retrain(self, before: int) -> None:
        """Ctrl+R: a metric is learned and the ranking follows."""
        self.key(Qt.Key.Key_R, CTRL)
        self.settle("training", 300)
        metric = self.session.overview.metric
        if metric is None or metric.file is None:
            raise HandsError("no metric was trained")
        self.check(self.navigator.metric == metric, "the ranking does not follow the new metric")
        text = f"Retrained: {metric.title}; alike among the first {LOOKED_AT}: {before} before, {self.alike()} after"
        self.step(text, "retrained")

    def suggest(self) -> None:
        """Ctrl+G: tags are suggested; A accepts and X rejects."""
        self.key(Qt.Key.Key_G)
        self.settle("the order of the folders")
        self.key(Qt.Key.Key_G, CTRL)
        self.settle("suggesting", 300)
        suggested = self.session.overview.open_suggestions
        self.check(suggested > 0, "no tag was suggested")
        self.step(f"Suggested {suggested} tags for {self.session.overview.suggested_photos} photos", "suggested")
        accepted = rejected = 0
        self.window.suggestion_panel.list.setFocus()
        while accepted + rejected < JUDGED and (row := self.window.suggestion_panel.list.current_row()):
            right = row.suggestion.tag == row.card.photo.path.parent.name
            accepted, rejected = accepted + right, rejected + (not right)
            self.key(Qt.Key.Key_A if right else Qt.Key.Key_X)
            self.settle("the answer")
        left = self.session.overview.open_suggestions
        self.check(left == suggested - accepted - rejected, "the answers were not taken")
        self.step(f"Accepted {accepted} (A) and rejected {rejected} (X); {left} wait", "answered")

    def undo_and_redo(self) -> None:
        """Ctrl+Z twice and Ctrl+Shift+Z once."""
        labels = []
        for _ in range(2):
            labels.append(self.session.overview.undo or "")
            self.key(Qt.Key.Key_Z, CTRL)
            self.settle("undo")
        redone = self.session.overview.redo
        self.check(redone == labels[-1], "undo did not take the last action back")
        self.key(Qt.Key.Key_Z, CTRL | SHIFT)
        self.settle("redo")
        self.check(self.session.overview.redo == labels[0], "redo did not do it again")
        self.step(f"Undid {names(labels)}; did {names([redone or ''])} again", "undone")

    def walk_back_and_forward(self) -> None:
        """Alt+Left and Alt+Right along the trail."""
        self.window.focus_photos()
        self.key(Qt.Key.Key_Left, ALT)
        self.settle("back")
        there = self.navigator.focal
        self.check(there is not None, "Alt+Left did not return to the focal image")
        self.click(2)
        self.settle("the next focal image")
        self.check(self.navigator.trail.can_go_back, "the walk left no trail")
        steps = " > ".join(step.label for step in self.navigator.trail.steps)
        self.step(f"Went back with Alt+Left and walked on: {steps}", "trail")

    def filter(self) -> None:
        """Ctrl+F: only untagged photos stay in the ranking."""
        self.key(Qt.Key.Key_F, CTRL)
        self.type("untagged")
        self.key(Qt.Key.Key_Return)
        self.settle("the filter")
        shown = len(self.session.grid.ids)
        self.check(0 < shown <= self.session.overview.untagged, "the filter shows the wrong photos")
        self.step(f"Filtered by {names(['untagged'])}: {shown} photos stay in the ranking", "filtered")

    def look_around(self) -> None:
        """Look at a single photo, the keys, and the light theme."""
        self.window.focus_photos()
        self.hover(0)
        self.key(Qt.Key.Key_E)
        self.settle("the photo")
        self.step("Looked at one photo alone (E)", "single")
        self.key(Qt.Key.Key_Escape)
        self.key(Qt.Key.Key_Question)
        pause(100)
        dialogs = [dialog for dialog in self.window.findChildren(QDialog) if dialog.isVisible()]
        self.check(bool(dialogs), "the keys were not shown")
        self.step("Listed all keys (?)", "keys", dialogs[0])
        dialogs[0].close()
        self.window.choose_theme(ThemeChoice.LIGHT)
        self.settle("the light theme")
        self.step("Changed to the light theme", "light")

    # ------------------------------------------------------------------ the person's eyes
    def folders(self) -> dict[str, list[int]]:
        """Return the photos shown, by the folder they are in, in the order of the grid."""
        found: dict[str, list[int]] = {}
        for photo in self.session.library.photos.get(self.session.grid.ids.tolist()):
            if photo.failure is None and not photo.missing:
                found.setdefault(photo.path.parent.name, []).append(photo.id)
        found = {name: ids for name, ids in found.items() if len(ids) > 1}
        if not found:
            raise HandsError("no folder has two photos that can be read")
        return found

    def kind(self, photo_id: int) -> str:
        """Return what a photo shows: the name of its folder."""
        return self.session.library.photos.get([photo_id])[0].path.parent.name

    def alike(self) -> int:
        """Return how many of the first photos of the ranking are of the focal image's kind."""
        kind = self.kind(self.focal_id())
        return sum(self.kind(photo_id) == kind for photo_id in self.session.grid.ids[:LOOKED_AT].tolist())

    def focal_id(self) -> int:
        """Return the focal image."""
        if self.navigator.focal_id is None:
            raise HandsError("there is no focal image")
        return self.navigator.focal_id

    # ------------------------------------------------------------------ what came of it
    def check(self, right: bool, wrong: str) -> None:
        """Raise if something did not come out as it should."""
        if not right:
            raise HandsError(wrong)

    def step(self, text: str, name: str, widget: QWidget | None = None) -> None:
        """Report a step and keep its picture."""
        self._number += 1
        self._report(f"{self._number:2}. {text}")
        self.picture(name, widget)

    def picture(self, name: str, widget: QWidget | None = None) -> None:
        """Keep a picture of the window."""
        path = self._out / f"{self._number:02}-{name}.png"
        if not (widget or self.window).grab().save(str(path)):
            raise HandsError(f"the picture {path} could not be written")


def share(photo_ids: Sequence[int]) -> int:
    """Return how many photos of a folder are tagged by hand."""
    return max(1, min(TAGGED_A_FOLDER, len(photo_ids) // 2))


def names(texts: Sequence[str]) -> str:
    """Return texts in quotation marks."""
    return ", ".join(f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}" for text in texts)
