# SPDX-License-Identifier: MIT
"""The dialogs to rename, merge or delete tags, which list the photos and items that use them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QWidget

from focal_photos.browser.catalog.facts.vocabulary import Touched
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.completer import Completer
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.theme import Theme


class NamingDialog(QDialog):
    """A dialog about a name: a heading, the uses of a tag, an error, and two buttons.

    Parameters
    ----------
    title, question : str
        The window's title, and the subject of the dialog.
    does : str
        Text of the default button.
    tag : str
        The tag whose uses are listed; empty for none.
    """

    def __init__(self, session: Session, title: str, question: str, does: str, tag: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._about = session, tag
        self.setWindowTitle(title)
        self.setProperty("guide", "reviewing.md#tags-in-order")
        self.question = label(shown(question), "title", wrap=True)
        self.touched_label = label("", "soft", wrap=True)
        self.problem_label = label("", "error", wrap=True)
        self.problem_label.setAccessibleName(self.tr("Problem"))
        self.problem_label.hide()
        self.cancel_button = button(self.tr("Cancel"), "", self.reject)
        self.do_button = button(does, "primary", self.do)
        self.form = QFormLayout()
        self.form.setSpacing(8)
        self.buttons = in_row(STRETCH, self.cancel_button, self.do_button)
        in_dialog(self, self.question, self.touched_label, self.form, self.problem_label, self.buttons)
        self.setMinimumWidth(460)
        # a button can become the default only after it was added to the dialog
        self.cancel_button.setAutoDefault(False)
        self.do_button.setDefault(True)
        self._is_open = True
        self.finished.connect(self._closed)
        if tag:
            session.naming.read_touched([tag], self._show_touched)
        else:
            self.touched_label.hide()

    def do(self) -> None:
        """Carry out the action."""
        self.accept()

    def add_field(self, name: str, text: str = "", hint: str = "") -> QLineEdit:
        """Add a labelled field; the first field gets the keyboard focus."""
        field = QLineEdit(text)
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        field.textEdited.connect(lambda: self.show_error(""))
        self.form.addRow(label(name), field)
        if self.form.rowCount() == 1:
            field.setFocus()
            field.selectAll()
        return field

    def show_error(self, problem: str) -> None:
        """Show an error; an empty text removes it."""
        self.problem_label.setText(shown(problem))
        self.problem_label.setVisible(bool(problem))

    def show_problem(self, problem: str) -> None:
        """Close the dialog, or show the error if there is one."""
        if not self._is_open:
            return
        if problem:
            self.show_error(problem)
            self.do_button.setEnabled(True)
        else:
            self.accept()

    def _wait(self) -> Callable[[str], None]:
        self.do_button.setEnabled(False)
        return self.show_problem

    def _closed(self) -> None:
        self._is_open = False  # the library may answer after the dialog was closed

    def _show_touched(self, touched: Touched) -> None:
        if not self._is_open:
            return
        parts = [photos_in_words(touched.photos)]
        below = sum(name != self._about for name in touched.tags)
        if below > 0:
            parts.append(self.tr("tags below it: {0}").format(below))
        if touched.suggestions:
            parts.append(self.tr("open suggestions: {0}").format(touched.suggestions))
        if touched.rejections:
            parts.append(self.tr("rejections: {0}").format(touched.rejections))
        if touched.digits:
            parts.append(self.tr("on the keys: {0}").format(", ".join(map(str, touched.digits))))
        if touched.aliases:
            parts.append(self.tr("other names: {0}").format(", ".join(touched.aliases)))
        if touched.searches:
            parts.append(self.tr("saved searches: {0}").format(", ".join(touched.searches)))
        self.touched_label.setText(shown("; ".join(parts)))


class EditTagDialog(NamingDialog):
    """A dialog to rename a tag and to edit its aliases."""

    merging_wanted = Signal(str)
    """The user wants to merge the tag into this one, which already has the new name."""

    def __init__(self, session: Session, _theme: Theme, tag: str, parent: QWidget) -> None:
        super().__init__(session, "", tag, "", tag, parent)
        self.setWindowTitle(self.tr("Rename a tag"))
        self.do_button.setText(self.tr("Rename"))
        self._tag = tag
        self.name_field = self.add_field(self.tr("Name"), tag, self.tr("beach, or animal/dog"))
        others = ", ".join(session.sidebar.words.other_names(tag))
        self.other_names_field = self.add_field(self.tr("Aliases"), others, self.tr("Hund, chien"))
        self.other_names_field.setToolTip(self.tr("Typing any of these names adds this tag."))
        self.merge_button = button(self.tr("Merge\N{HORIZONTAL ELLIPSIS}"), "primary", self._merge)
        self.buttons.insertWidget(self.buttons.indexOf(self.do_button), self.merge_button)
        self.merge_button.hide()

    def show_error(self, problem: str) -> None:
        """Show an error; if another tag has the name, offer to merge the two."""
        super().show_error(problem)
        merges = bool(problem) and self._session.sidebar.words.tag_meant(self.name_field.text()) not in ("", self._tag)
        self.merge_button.setVisible(merges)
        self.do_button.setVisible(not merges)
        (self.merge_button if merges else self.do_button).setDefault(True)

    def _merge(self) -> None:
        self.reject()
        self.merging_wanted.emit(self._session.sidebar.words.tag_meant(self.name_field.text()))

    def do(self) -> None:
        """Rename the tag; if another tag has the new name, show an error and offer to merge."""
        name = self.name_field.text().strip()
        others = [one.strip() for one in self.other_names_field.text().split(",") if one.strip()]
        self._session.naming.edit_tag(self._tag, name, others, self._wait())


class MergeTagsDialog(NamingDialog):
    """A dialog to merge a tag into another one."""

    def __init__(self, session: Session, _theme: Theme, tag: str, into: str, parent: QWidget) -> None:
        super().__init__(session, "", tag, "", tag, parent)
        self.setWindowTitle(self.tr("Merge tags"))
        self.do_button.setText(self.tr("Merge"))
        self._tag = tag
        self.into_field = self.add_field(self.tr("Merge into"), into)
        self._completer = Completer(
            self.into_field,
            lambda text, _cursor: [one for one in session.sidebar.words.complete_tag(text) if one not in (text, tag)],
        )

    def do(self) -> None:
        """Merge the tags."""
        typed = self.into_field.text().strip()
        into = self._session.sidebar.words.tag_meant(typed)
        if into == self._tag:
            self.show_error(self.tr("A tag cannot be merged into itself: choose another tag."))
        elif typed and not into:
            text = self.tr("There is no tag {0}. Choose an existing tag, or rename {1} (F2).")
            self.show_error(text.format(typed, self._tag))
        else:
            self._session.naming.merge_tags([self._tag], into, self._wait())


class DeleteTagDialog(NamingDialog):
    """A dialog to confirm deleting a tag."""

    def __init__(self, session: Session, _theme: Theme, tag: str, parent: QWidget) -> None:
        super().__init__(session, "", tag, "", tag, parent)
        self.setWindowTitle(self.tr("Delete a tag"))
        self.do_button.setText(self.tr("Delete the tag"))
        self.do_button.setFocus()
        self._tag = tag
        self.form.addRow(label(self.tr("The photos stay. This can be undone."), "soft", wrap=True))

    def do(self) -> None:
        """Delete the tag."""
        self.accept()
        self._session.naming.delete_tags([self._tag])
