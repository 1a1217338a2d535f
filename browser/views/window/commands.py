"""What the actions of the window do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox

from browser.catalog.facts.records import Verdict
from browser.models.work.message import Message, Severity
from browser.views.base.actions import ACTIONS, ActionSpec, translated
from browser.views.base.theme import ThemeChoice
from browser.views.dialogs.failures_dialog import FailuresDialog
from browser.views.dialogs.shortcuts_dialog import ShortcutsDialog
from browser.views.window.learner_menu import LearnerMenu

if TYPE_CHECKING:
    from browser.views.window.main_window import MainWindow


class Commands(QObject):
    """Makes the `QAction` objects of the table and carries them out: ``on_<name>`` for each."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self.actions: dict[str, QAction] = {}
        menus: dict[str, QMenu] = {}
        for spec in ACTIONS:
            if spec.menu not in menus:
                menus[spec.menu] = window.menuBar().addMenu(translated(spec.menu))
            if spec.separated:
                menus[spec.menu].addSeparator()
            menus[spec.menu].addAction(self._make(spec))
        learn = next(menu for title, menu in menus.items() if "Learn" in title)
        learn.addMenu(LearnerMenu(self.tr("Retrain &with"), self._session, learn))
        self._add_digits()
        self._add_themes(next(menu for title, menu in menus.items() if "View" in title))
        self._session.overview_changed.connect(self._update)
        self._session.navigator.trail_changed.connect(self._update)
        self._update()

    # ------------------------------------------------------------------ making
    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(translated(spec.text), self)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setProperty("writes", spec.writes)
        action.setAutoRepeat(not spec.once)
        if spec.icon:
            self._window.theme.set_icon(action, spec.icon)
        handler = getattr(self, f"on_{spec.name}")
        action.triggered.connect(lambda _checked=False: handler())
        self._place(action, in_grid=spec.in_grid)
        self.actions[spec.name] = action
        return action

    def _place(self, action: QAction, *, in_grid: bool) -> None:
        """Let the keys of an action count everywhere, or only where photos are looked at."""
        if in_grid:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            for widget in self._window.photo_widgets():
                widget.addAction(action)
        else:
            self._window.addAction(action)

    def _add_digits(self) -> None:
        for digit in range(1, 10):
            action = QAction(self)
            action.setShortcut(QKeySequence(str(digit)))
            action.setAutoRepeat(False)
            action.triggered.connect(lambda _=False, digit=digit: self.tag_recent(digit))
            action.setEnabled(not self._session.read_only)
            self._place(action, in_grid=True)

    def _add_themes(self, menu: QMenu) -> None:
        themes = menu.addMenu(self.tr("&Theme"))
        group = QActionGroup(self)
        titles = {
            ThemeChoice.SYSTEM: self.tr("As the system"),
            ThemeChoice.DARK: self.tr("Dark"),
            ThemeChoice.LIGHT: self.tr("Light"),
        }
        for choice, title in titles.items():
            action = themes.addAction(title)
            action.setCheckable(True)
            action.setChecked(choice is self._window.theme.choice)
            action.triggered.connect(lambda _=False, choice=choice: self._window.choose_theme(choice))
            group.addAction(action)

    def _update(self) -> None:
        overview, navigator = self._session.overview, self._session.navigator
        for action in self.actions.values():
            action.setEnabled(not (action.property("writes") and self._session.read_only))
        for name, label in (("undo", overview.undo), ("redo", overview.redo)):
            action = self.actions[name]
            plain = self.tr("&Undo") if name == "undo" else self.tr("&Redo")
            action.setText(f"{plain}: {label}" if label else plain)
            action.setEnabled(label is not None and not self._session.read_only)
        self.actions["back"].setEnabled(navigator.trail.can_go_back)
        self.actions["forward"].setEnabled(navigator.trail.can_go_forward)
        self.actions["remove_folder"].setEnabled(bool(overview.roots) and not self._session.read_only)
        self.actions["show_failures"].setEnabled(overview.failed > 0)

    # ------------------------------------------------------------------ file
    def on_open_folder(self) -> None:
        """Ask for a folder and take it in."""
        self._window.ask_for_folder()

    def on_remove_folder(self) -> None:
        """Ask which folder to take out, and do it."""
        self._window.ask_to_remove()

    def on_rescan(self) -> None:
        """Look for new and changed files."""
        self._session.jobs.rescan()

    def on_show_failures(self) -> None:
        """List what could not be read."""
        self._session.read_failures(lambda failures: FailuresDialog(failures, self._window).open())

    def on_quit(self) -> None:
        """End the program."""
        self._window.close()

    # ------------------------------------------------------------------ edit
    def on_undo(self) -> None:
        """Take the last action back."""
        self._session.editor.undo()

    def on_redo(self) -> None:
        """Do it again."""
        self._session.editor.redo()

    def on_select_all(self) -> None:
        """Select all photos of the grid."""
        self._window.grid.selectAll()

    def on_select_none(self) -> None:
        """Select nothing."""
        self._window.grid.clearSelection()

    def on_find(self) -> None:
        """Go to the filter field."""
        self._window.sidebar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._window.sidebar.search.selectAll()

    def on_settings(self) -> None:
        """Show the settings of the library."""
        self._window.show_settings()

    # ------------------------------------------------------------------ tags
    def on_tag(self) -> None:
        """Go to the field for tags."""
        if self._session.navigator.targets:
            self._window.tag_panel.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._notice(self.tr("Select the photos to tag first: Ctrl+click, or the arrow keys."))

    def tag_recent(self, digit: int) -> None:
        """Give a recent tag."""
        recent = self._session.overview.recent_tags
        if digit <= len(recent):
            self._session.tag_targets(add=[recent[digit - 1]])

    def on_repeat_tagging(self) -> None:
        """Do the last tagging again on what is selected now."""
        self._session.repeat_tagging()

    def on_next_untagged(self) -> None:
        """Go to the next photo without a tag."""
        window = self._window

        def go(photo_id: int | None) -> None:
            if photo_id is None:
                self._notice(self.tr("Every photo shown here has a tag."))
            else:
                window.grid.make_current(self._session.grid.row_of(photo_id))
                window.follow_in_viewer(photo_id)

        self._session.next_untagged(window.grid.current_id(), go)

    def on_suggest(self) -> None:
        """Suggest tags."""
        self._session.suggest()

    def on_accept(self) -> None:
        """Accept the current suggestion."""
        self._window.suggestion_panel.answer_current(accept=True)

    def on_reject(self) -> None:
        """Reject the current suggestion."""
        self._window.suggestion_panel.answer_current(accept=False)

    # ------------------------------------------------------------------ judging
    def on_similar(self) -> None:
        """Judge as similar."""
        self._session.judge(self._window.judged_ids(), Verdict.SIMILAR)

    def on_dissimilar(self) -> None:
        """Judge as not similar."""
        self._session.judge(self._window.judged_ids(), Verdict.DISSIMILAR)

    def on_clear_mark(self) -> None:
        """Take the judgement back."""
        self._session.judge(self._window.judged_ids(), None)

    def on_retrain(self) -> None:
        """Learn a new metric."""
        self._session.jobs.retrain()

    # ------------------------------------------------------------------ view
    def on_grid(self) -> None:
        """Leave the single photo, else the ranking."""
        if not self._window.close_viewer():
            self._session.navigator.leave_ranking()

    def on_single(self) -> None:
        """Look at one photo alone, or return to the grid."""
        if not self._window.close_viewer():
            self._window.open_viewer()

    def on_heat_map(self) -> None:
        """Show which places of the focal image its distance looks at, or no more."""
        local = self._session.local_view
        if self._local_metric():
            local.show_heat(not local.heat_on)
            if local.heat_on and self._window.viewed_id() not in (None, self._session.navigator.focal_id):
                self._notice(self.tr("The heat map is that of the focal image: Enter makes this photo it."))

    def on_heat_kind(self) -> None:
        """Show the heat map of the next kind of patch."""
        if self._local_metric():
            self._session.local_view.next_kind()

    def on_matches(self) -> None:
        """Compare the patches of the focal image and the selected photo, or no more."""
        if not self._session.local_view.leave_matches() and self._local_metric():
            self._window.compare_patches()

    def _local_metric(self) -> bool:
        """Return whether photos are ranked by a local metric; if not, say how they would be."""
        overview = self._session.overview
        advice = self._session.local_view.advice(overview.metric, overview.metrics)
        if advice:
            self._notice(advice)
        return not advice

    def on_larger(self) -> None:
        """Larger tiles; closer in the viewer."""
        self._window.zoom(1)

    def on_smaller(self) -> None:
        """Smaller tiles; farther away in the viewer."""
        self._window.zoom(-1)

    def on_full_screen(self) -> None:
        """Fill the screen, or not."""
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    # ------------------------------------------------------------------ walking
    def on_focus_selected(self) -> None:
        """Make the current photo the focal image."""
        self._window.focus_current()

    def on_back(self) -> None:
        """One step back."""
        self._window.close_viewer()
        self._session.navigator.back()

    def on_forward(self) -> None:
        """One step forward."""
        self._window.close_viewer()
        self._session.navigator.forward()

    def on_next(self) -> None:
        """Next photo."""
        self._window.step(1)

    def on_previous(self) -> None:
        """Previous photo."""
        self._window.step(-1)

    def on_escape(self) -> None:
        """Leave, in this order: viewer, comparison, full screen, a filter that hides all, selection, ranking."""
        window = self._window
        if window.close_viewer() or self._session.local_view.leave_matches():
            return
        if window.isFullScreen():
            self.on_full_screen()
        elif window.nothing.isVisible() and self._session.navigator.collection.query:
            self._session.navigator.set_query("")
        elif window.grid.selected_ids():
            window.grid.clearSelection()
        else:
            self._session.navigator.back()

    # ------------------------------------------------------------------ help
    def on_shortcuts(self) -> None:
        """Show all keys."""
        ShortcutsDialog(self._window).open()

    def on_about(self) -> None:
        """Say what this program is."""
        text = self.tr(
            "Focal {0}\n\nA photo browser that learns your own notion of similar.\n"
            "Everything runs on this machine; your photos are never changed.\n\nLibrary: {1}"
        )
        version = QApplication.applicationVersion()
        QMessageBox.about(self._window, self.tr("About Focal"), text.format(version, self._session.library.path))

    def _notice(self, text: str) -> None:
        self._session.message_posted.emit(Message(text, Severity.WARNING))
