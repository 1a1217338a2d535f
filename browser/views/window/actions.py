# SPDX-License-Identifier: MIT
"""The actions of the window: their texts, menus, keys and handlers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QMenu, QWidget
from shiboken6 import isValid

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.shortcuts import Keyed, Shortcuts
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import Menu
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.compare.compare_page import ComparePage
from focal_photos.browser.views.duplicates.duplicates_page import DuplicatesPage
from focal_photos.browser.views.map.map_page import MapPage
from focal_photos.browser.views.tags.suggestion_panel import SuggestionPanel
from focal_photos.browser.views.window.action_spec import ActionSpec, plain, translated
from focal_photos.browser.views.window.dialog_opener import DialogOpener
from focal_photos.browser.views.window.learner_menu import LearnerMenu
from focal_photos.browser.views.window.photo_area import PhotoArea
from focal_photos.browser.views.window.slideshow import Slideshow
from focal_photos.browser.views.window.tag_keys import TagKeys
from focal_photos.browser.views.window.trail_menu import TrailMenu

Handler = Callable[["WindowActions"], None]

_FILE: Final = str(QT_TRANSLATE_NOOP("actions", "&File"))
_EDIT: Final = str(QT_TRANSLATE_NOOP("actions", "&Edit"))
_TAGS: Final = str(QT_TRANSLATE_NOOP("actions", "&Tags"))
_LEARN: Final = str(QT_TRANSLATE_NOOP("actions", "&Learn"))
_VIEW: Final = str(QT_TRANSLATE_NOOP("actions", "&View"))
_GO: Final = str(QT_TRANSLATE_NOOP("actions", "&Go"))
_HELP: Final = str(QT_TRANSLATE_NOOP("actions", "&Help"))

_FOLDERS: Final = str(QT_TRANSLATE_NOOP("actions", "Fo&lders"))
_IMPORT: Final = str(QT_TRANSLATE_NOOP("actions", "&Import"))
_EXPORT: Final = str(QT_TRANSLATE_NOOP("actions", "&Export"))
_LIBRARY: Final = str(QT_TRANSLATE_NOOP("actions", "Li&brary"))

_COMPARED: Final = {
    "repeat_tagging",
    "similar",
    "dissimilar",
    "looks_alike",
    "nearer",
    "clear_mark",
    "larger",
    "smaller",
    "compare",
    "turn_left",
    "turn_right",
}
"""Actions whose keys act on the current photo of a comparison."""

ACTIONS: Final[list[ActionSpec]] = []
"""All actions in the order of the menus, which is that of the methods below."""


def _action(menu: str, text: str, *keys: str, **options: Any) -> Callable[[Handler], Handler]:
    """Append an action to its menu, carried out by the decorated method; `options`: see `ActionSpec`."""

    def declare(handler: Handler) -> Handler:
        ACTIONS.append(ActionSpec(handler.__name__, menu, text, keys, **options))
        return handler

    return declare


class WindowActions(QObject):
    """Creates menus and shortcuts from the actions, and carries them out.

    Parameters
    ----------
    window : QMainWindow
        Receives the menus.
    page : callable
        Returns the current page of the window.
    """

    mode_wanted = Signal(object)
    """The user requests a mode, or to leave it if it is active (Mode)."""
    copy_wanted = Signal()
    paste_wanted = Signal()
    paste_more_wanted = Signal()
    """`copy_wanted`, `paste_wanted` and `paste_more_wanted`: the user wants to copy the selection to the clipboard, to
    rank by the image there, or to add it to the query."""
    text_wanted = Signal()
    """The user wants to type a text to rank by."""
    tagging_wanted = Signal()
    filter_wanted = Signal()
    keys_wanted = Signal()
    guide_wanted = Signal()
    """The user requests the guide to the current part of the window."""
    asking_wanted = Signal()
    """The user requests questions about the most informative photos."""
    check_wanted = Signal()
    boxes_wanted = Signal()
    agreement_wanted = Signal()

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        theme: Theme,
        *,
        dialogs: DialogOpener,
        photos: PhotoArea,
        suggestion_panel: SuggestionPanel,
        page: Callable[[], QWidget],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._theme = theme
        self._dialogs = dialogs
        self._photos = photos
        self._suggestion_panel = suggestion_panel
        self._page = page
        self.compared: list[QAction] = []
        """Actions whose keys act on the current photo of a comparison."""
        self.show = Slideshow(window, session, photos)
        self.by_name: dict[str, QAction] = {}
        self._keys = dialogs.shortcuts = Shortcuts(dialogs.user_settings, (), self)
        menus: dict[str, Menu] = {}
        for spec in ACTIONS:
            if spec.menu not in menus:
                menus[spec.menu] = Menu(translated(spec.menu), window.menuBar())
                window.menuBar().addMenu(menus[spec.menu])
            menu = menus[spec.menu]
            if spec.submenu:
                if spec.submenu not in menus:
                    menus[spec.submenu] = menu.add_submenu(translated(spec.submenu))
                menu = menus[spec.submenu]
            if spec.separated:
                menu.addSeparator()
            menu.addAction(self._make(spec))
        # these entries both import and export
        menus[_IMPORT].addAction(self.by_name["show_data_sets"])
        menus[_EXPORT].addAction(self.by_name["exchange_with_sidecars"])
        # application-wide, because an open popup receives all keys of the window
        self.by_name["quit"].setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._quit_from)
        self._add_watching(menus[_FOLDERS])
        self.tag_keys = TagKeys(menus[_TAGS], session, dialogs.user_settings, self._keys, plain(_TAGS))
        for action in self.tag_keys.actions:
            self._listen(action, in_photos=True)
        go = menus[_GO]
        go.insertMenu(self.by_name["next"], TrailMenu(session, go))
        menus[_EDIT].setToolTipsVisible(True)
        learn = menus[_LEARN]
        learn.insertMenu(self.by_name["metrics"], LearnerMenu(self.tr("Retrain &with"), session, learn))
        learn.addSeparator()
        self.follow_judgements = learn.addAction(self.tr("Update rankings &immediately after judgements"))
        self.follow_judgements.setCheckable(True)
        self.follow_judgements.setEnabled(not session.read_only)
        self.follow_judgements.triggered.connect(session.metrics.ranking.follow_judgements)
        advanced = Menu(self.tr("&Advanced"), learn)
        self.share_neighbors = advanced.addAction(self.tr("Rank by shared &neighbours"))
        self.share_neighbors.setCheckable(True)
        self.share_neighbors.setEnabled(not session.read_only)
        self.share_neighbors.triggered.connect(session.metrics.ranking.rank_by_neighbors)
        self.folds = menus[_VIEW].addAction(self.tr("Stack duplicates in rankings"))
        self.folds.setCheckable(True)
        self.folds.setEnabled(not session.read_only)
        self.folds.triggered.connect(session.duplicates.set_folding)
        self.by_name["retrains"] = learn.addAction(self.tr("Retrain &automatically during Review"))
        self.by_name["retrains"].setCheckable(True)
        self.by_name["retrains"].triggered.connect(session.review.progress.set_retraining)
        learn.addMenu(advanced)
        self.menus = {"view": menus[_VIEW], **self.tag_keys.menus}
        """Menus that other classes use or extend: ``view``, ``rating``, ``label``."""
        session.overview.changed.connect(self._update)
        session.navigator.trail_changed.connect(self._update)
        self._update()

    # ------------------------------------------------------------------ creation
    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(translated(spec.text), self)
        title = f"{plain(spec.submenu)}: {plain(spec.text)}" if spec.submenu else plain(spec.text)
        self._keys.bind(Keyed(spec.name, plain(spec.menu), title, spec.keys, spec.place), action)
        action.setAutoRepeat(spec.repeats)
        if spec.icon:
            self._theme.set_icon(action, spec.icon)
        handler = getattr(self, spec.name)
        action.triggered.connect(lambda _checked=False: handler())
        if spec.place:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            places = {"preview": (self._photos.viewer,), "grid": (self._photos.splitter, self._suggestion_panel.list)}
            for widget in places[spec.place]:
                widget.addAction(action)
        else:
            self._listen(action, in_photos=spec.in_photos, compared=spec.name in _COMPARED)
        self.by_name[spec.name] = action
        return action

    def _listen(self, action: QAction, *, in_photos: bool, compared: bool = True) -> None:
        """Make the keys of an action work in the whole window, or only where photos are shown (and compared)."""
        if in_photos:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            for widget in (self._photos, self._suggestion_panel.list):
                widget.addAction(action)
            if compared:
                self.compared.append(action)
        else:
            self._window.addAction(action)

    def _add_watching(self, menu: Menu) -> None:
        """Add the switch that watches folders at the top of the menu."""
        watching = self._session.photo_folders.watching
        action = self.by_name["watch"] = QAction(self.tr("&Watch folders for changes"), self)
        action.setCheckable(True)
        action.triggered.connect(watching.set_on)
        watching.states_changed.connect(lambda: action.setChecked(watching.on))
        action.setEnabled(not self._session.read_only)
        menu.insertAction(menu.actions()[0], action)

    def _update(self) -> None:
        overview, navigator = self._session.overview.now, self._session.navigator
        writable = not self._session.read_only
        for spec in ACTIONS:
            self.by_name[spec.name].setEnabled(writable or not spec.writes)
        for name, label in (("undo", overview.undo), ("redo", overview.redo)):
            action = self.by_name[name]
            text = self.tr("&Undo") if name == "undo" else self.tr("&Redo")
            action.setText(f"{text}: {in_words(label)}" if label else text)
            action.setEnabled(label is not None and writable)
            action.setToolTip(self.tr("The last 10,000 steps can be undone; for older changes see Backups."))
        self.by_name["retrains"].setChecked(overview.retrains)
        self.by_name["retrains"].setEnabled(writable)
        self.by_name["back"].setEnabled(navigator.trail.can_go_back)
        self.by_name["forward"].setEnabled(navigator.trail.can_go_forward)
        self.by_name["remove_folder"].setEnabled(bool(overview.roots) and writable)
        self.by_name["relocate_folder"].setEnabled(bool(overview.roots) and writable)
        self.by_name["show_missing"].setEnabled(bool(overview.roots))
        self.by_name["show_failures"].setEnabled(overview.failed > 0)
        self.follow_judgements.setChecked(overview.by_judgements)
        self.folds.setChecked(overview.folds)
        self.share_neighbors.setChecked(overview.by_neighbors)

    # ------------------------------------------------------------------ file
    @_action(_FILE, "&Open a folder of photos…", "Ctrl+O", icon="folder-open", writes=True)
    def open_folder(self) -> None:
        """Let the user choose a folder, and open it."""
        self._dialogs.ask_for_folder()

    @_action(_FILE, "&Rescan folders", "F5", icon="retrain", writes=True)
    def rescan(self) -> None:
        """Look for new and changed files."""
        self._session.jobs.indexing.rescan(quiet=False)

    @_action(_FILE, "Remove a &folder from the library…", icon="folder", writes=True, submenu=_FOLDERS)
    def remove_folder(self) -> None:
        """Let the user choose a folder to remove from the library."""
        self._dialogs.ask_to_remove()

    @_action(_FILE, "&Sync with XMP sidecars…", icon="tag", writes=True, submenu=_IMPORT)
    def exchange_with_sidecars(self) -> None:
        """Show the differences from the XMP files beside the photos, and synchronise both."""
        self._dialogs.exchange_with_sidecars()

    @_action(_FILE, "Import ta&gs from files…", icon="tag", writes=True, submenu=_IMPORT)
    def import_tags(self) -> None:
        """List the tags found in files, and import the checked ones."""
        self._dialogs.import_tags()

    @_action(_FILE, "&Locate a moved folder…", icon="folder-open", writes=True, submenu=_FOLDERS)
    def relocate_folder(self) -> None:
        """Ask for the new place of a folder."""
        self._dialogs.ask_to_relocate()

    @_action(_FILE, "&Missing photos…", icon="image-missing", submenu=_FOLDERS)
    def show_missing(self) -> None:
        """List the photos without a file."""
        self._dialogs.show_missing()

    @_action(_FILE, "Export copies of the selected &photos…", submenu=_EXPORT)
    def export_copies(self) -> None:
        """Copy the selected photos into a folder."""
        if self._has_targets():
            self._dialogs.export_copies()

    @_action(_FILE, "Export a &table of the selected photos…", submenu=_EXPORT)
    def export_table(self) -> None:
        """Export the metadata of the selected photos as CSV or JSON Lines."""
        if self._has_targets():
            self._dialogs.export_table()

    @_action(_FILE, "&Data sets of other programs…", submenu=_EXPORT)
    def show_data_sets(self) -> None:
        """Export photos for other programs, or import the results."""
        self._dialogs.show_data_sets()

    def _has_targets(self) -> bool:
        has = bool(self._session.navigator.targets)
        if not has:
            self._warn(self.tr("Select the photos to export first: Ctrl+click, or Ctrl+A for all."))
        return has

    @_action(_FILE, "&Save the library as an archive…", submenu=_LIBRARY)
    def save_archive(self) -> None:
        """Let the user choose a file, and save the library as an archive."""
        self._dialogs.save_archive()

    @_action(_FILE, "Open an ar&chive…", submenu=_LIBRARY)
    def open_archive(self) -> None:
        """Let the user choose an archive, and merge it or unpack it as a new library."""
        self._dialogs.open_archive()

    @_action(_FILE, "Files that could not be &read…", icon="image-broken", submenu=_FOLDERS)
    def show_failures(self) -> None:
        """List the files that could not be read."""
        self._dialogs.show_failures()

    @_action(_FILE, "&Backups…", icon="undo", submenu=_LIBRARY)
    def show_backups(self) -> None:
        """List the backups of the library, create one, or restore one."""
        self._dialogs.show_backups()

    @_action(_FILE, "&Quit", "Ctrl+Q", separated=True)
    def quit(self) -> None:
        """Quit the program; open dialogs and popups are closed first, as by Esc."""
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        open_dialogs = [one for one in self._window.findChildren(QDialog) if one.isVisible()]
        for dialog in reversed(open_dialogs):
            dialog.reject()
        if open_dialogs:
            QTimer.singleShot(0, self._window, self._window.close)  # let code that waits for a dialog finish first
        else:
            self._window.close()

    def _quit_from(self, _former: QWidget | None, now: QWidget | None) -> None:
        """Let the quit shortcut work in the focused window, because a dialog blocks the other windows."""
        if now is None or not isValid(self._window) or not self._window.isVisible():
            return
        action, window = self.by_name["quit"], now.window()
        # a menu would show it as an entry
        if window is not self._window and not isinstance(window, QMenu) and action not in window.actions():
            window.addAction(action)

    # ------------------------------------------------------------------ edit
    @_action(_EDIT, "&Undo", "Ctrl+Z", icon="undo", writes=True)
    def undo(self) -> None:
        """Undo the last change."""
        self._session.editor.undo()

    @_action(_EDIT, "&Redo", "Ctrl+Shift+Z", "Ctrl+Y", icon="redo", writes=True)
    def redo(self) -> None:
        """Redo the last undone change."""
        self._session.editor.redo()

    @_action(_EDIT, "Select &all", "Ctrl+A", in_photos=True, separated=True)
    def select_all(self) -> None:
        """Select all photos of the grid; leave the viewer, so that the selection is visible."""
        self._photos.close_viewer()
        self._photos.grid.selectAll()
        self._session.navigator.select_focal(True)

    @_action(_EDIT, "&Deselect all", "Ctrl+Shift+A", in_photos=True)
    def select_none(self) -> None:
        """Clear the selection; a photo in the viewer remains the target of key commands."""
        if self._photos.viewing:
            return
        self._photos.grid.clearSelection()
        self._session.navigator.select_focal(False)

    @_action(_EDIT, "&Select for a goal…")
    def select_for_goal(self) -> None:
        """Let the user select typical, different, odd or uncertain photos of the grid."""
        self._dialogs.pick()

    @_action(_EDIT, "Select the &focal image too", "F", in_photos=True)
    def select_focal(self) -> None:
        """Add the focal image to the selection, or remove it."""
        navigator = self._session.navigator
        if navigator.focal_id is None:
            self._warn(self.tr("There is no focal image yet: double-click a photo."))
        navigator.select_focal(not navigator.focal_selected)

    @_action(_EDIT, "&Copy files and paths", "Ctrl+C", in_photos=True, separated=True)
    def copy(self) -> None:
        """Copy the files of the selected photos to the clipboard, and their paths as text."""
        self.copy_wanted.emit()

    @_action(_EDIT, "Rank by the &pasted image", "Ctrl+V")
    def paste(self) -> None:
        """Rank all photos by the image on the clipboard, which need not be in the library."""
        self.paste_wanted.emit()

    @_action(_EDIT, "Rank by the pasted image as &well", "Ctrl+Shift+V")
    def paste_more(self) -> None:
        """Add the image on the clipboard to the images that photos are ranked by."""
        self.paste_more_wanted.emit()

    @_action(_EDIT, "Rank by te&xt", "Ctrl+Shift+F")
    def write_text(self) -> None:
        """Let the user describe photos in words, and rank by this text."""
        self.text_wanted.emit()

    @_action(_EDIT, "&Filter", "Ctrl+F", icon="search", separated=True)
    def find(self) -> None:
        """Move the focus to the filter field."""
        self.filter_wanted.emit()

    @_action(_EDIT, "&Settings…", "Ctrl+,", icon="settings", separated=True)
    def settings(self) -> None:
        """Show the settings of the library."""
        self._dialogs.show_settings()

    # ------------------------------------------------------------------ tags
    @_action(_TAGS, "&Add tags", "T", icon="tag", writes=True)
    def tag(self) -> None:
        """Move the focus to the tag field, even if no photos are selected yet.

        The next typed text is the tag in any case; in the grid, its letters would be key commands.
        """
        page, boxes = self._page(), self._session.tagging.boxes
        if boxes.target is not None:
            boxes.ask_name()
            return
        if isinstance(page, ComparePage | DuplicatesPage):
            page.edit_tags()
            return
        if isinstance(page, MapPage):
            if not page.edit_tags():
                self._warn(self.tr("Select photos first: Shift+drag around them, or click them."))
            return
        browsing = self._photos.isVisible() and not self._photos.welcoming
        if browsing and not self._session.navigator.targets:
            self._photos.select_current()
        chosen = bool(self._session.navigator.targets)
        if chosen or browsing:
            self.tagging_wanted.emit()
        if not chosen:
            self._warn(self.tr("Select photos to tag first: Ctrl+click, or the arrow keys."))

    @_action(_TAGS, "&Repeat last tagging", ".", in_photos=True, writes=True)
    def repeat_tagging(self) -> None:
        """Repeat the last tagging on the current selection."""
        self._session.targets.repeat_tagging()

    @_action(_TAGS, "&Boxes in the preview", "B", icon="box", place="preview", repeats=False)
    def draw_boxes(self) -> None:
        """Begin box mode in the preview; in box mode, put a box in the middle."""
        if not self._photos.viewing:
            self.mode_wanted.emit(Mode.BROWSE)
            self._photos.open_viewer()
        if self._photos.viewing:
            self.show.stop()
            self._photos.boxes.begin()

    @_action(_TAGS, "Next &untagged photo", "Ctrl+J")
    def next_untagged(self) -> None:
        """Go to the next photo without a tag."""

        def go(photo_id: int | None) -> None:
            if photo_id is None:
                self._warn(self.tr("Every photo shown here has a tag."))
            else:
                self._photos.grid.make_current(self._session.grid.row_of(photo_id))
                self._photos.show_in_viewer(photo_id)

        self._session.tagging.next_untagged(self._photos.grid.current_id(), go)

    @_action(_TAGS, "Re&view", "Ctrl+Shift+G", icon="judged", separated=True)
    def review(self) -> None:
        """Show one tag at a time with its likely photos, or return to the photos."""
        self.mode_wanted.emit(Mode.REVIEW)

    @_action(_TAGS, "Ask me ne&xt", "Ctrl+K", writes=True)
    def ask_next(self) -> None:
        """Ask about the photos whose tags are most informative."""
        self.asking_wanted.emit()

    @_action(_TAGS, "Chec&k tags", "Ctrl+Shift+K")
    def check_tags(self) -> None:
        """Show likely label errors in tags and judgements."""
        self.check_wanted.emit()

    @_action(_TAGS, "Suggested b&oxes", "Ctrl+Shift+B")
    def review_boxes(self) -> None:
        """Show the boxes that Focal suggests, with the line of Review."""
        self.boxes_wanted.emit()

    @_action(_TAGS, "Agree&ment with others\N{HORIZONTAL ELLIPSIS}")
    def compare_tags(self) -> None:
        """Compare the tags with those of other annotators, and settle the disagreements."""
        self.agreement_wanted.emit()

    @_action(_TAGS, "&Suggest tags", "Ctrl+G", icon="suggest", writes=True, separated=True)
    def suggest(self) -> None:
        """Suggest tags for the selected photos, or for all untagged ones if none are selected."""
        self._session.tagging.suggest()

    @_action(_TAGS, "A&ccept the suggestion", "A", icon="check", in_photos=True, writes=True, repeats=False)
    def accept(self) -> None:
        """Accept the current suggestion."""
        self._suggestion_panel.answer_current(accept=True)

    @_action(_TAGS, "Re&ject the suggestion", "X", icon="cross", in_photos=True, writes=True, repeats=False)
    def reject(self) -> None:
        """Reject the current suggestion."""
        self._suggestion_panel.answer_current(accept=False)

    @_action(_TAGS, "&Why this tag?", "W", in_photos=True, repeats=False)
    def show_supporters(self) -> None:
        """Show the supporting neighbours of the current suggestion."""
        self._suggestion_panel.show_supporters()

    # ------------------------------------------------------------------ judging and training
    @_action(_LEARN, "&Similar to the focal image", "S", in_photos=True, writes=True, repeats=False)
    def similar(self) -> None:
        """Judge as similar."""
        self._session.targets.judge(self._photos.ids_to_judge(), Verdict.SIMILAR)

    @_action(_LEARN, "&Not similar to the focal image", "D", in_photos=True, writes=True, repeats=False)
    def dissimilar(self) -> None:
        """Judge as not similar."""
        self._session.targets.judge(self._photos.ids_to_judge(), Verdict.DISSIMILAR)

    @_action(_LEARN, "Looks li&ke the focal image", "Shift+L", in_photos=True, writes=True, repeats=False)
    def looks_alike(self) -> None:
        """Judge as looking like the focal image, whether or not it means the same."""
        self._session.targets.mark_looks(self._photos.ids_to_judge())

    @_action(_LEARN, "N&earer than the other selected photo", "Shift+N", in_photos=True, writes=True, repeats=False)
    def nearer(self) -> None:
        """Judge the current one of two selected or compared photos as nearer to the focal image."""
        comparison, grid = self._session.comparison, self._photos.grid
        if comparison.active:
            self._session.targets.mark_nearer(comparison.photo_ids, comparison.current_id)
        else:
            self._session.targets.mark_nearer(grid.selected_ids(), grid.current_id())

    @_action(_LEARN, "&Clear the mark", "U", "Del", in_photos=True, writes=True)
    def clear_mark(self) -> None:
        """Clear the judgement, and that the photo looks like the focal image."""
        self._session.targets.clear_marks(self._photos.ids_to_judge())

    @_action(_LEARN, "&Retrain", "Ctrl+R", icon="retrain", writes=True, separated=True)
    def retrain(self) -> None:
        """Learn a new metric."""
        self._session.jobs.training.retrain()

    @_action(_LEARN, "&Learning", "Ctrl+Shift+L", icon="metric", separated=True)
    def metrics(self) -> None:
        """Show the learned metric and its gain, or return to the photos."""
        self.mode_wanted.emit(Mode.LEARNING)

    # ------------------------------------------------------------------ view
    @_action(_VIEW, "Back to the &grid", "G", icon="grid")
    def grid(self) -> None:
        """Return to the photos from another mode, or leave the viewer, or else the ranking."""
        if not self._photos.isVisible():
            self.mode_wanted.emit(Mode.BROWSE)
        elif not self._photos.close_viewer():
            self._session.navigator.leave_ranking()
            self._photos.focus_photos()

    @_action(_VIEW, "Ma&p of the library", "Ctrl+Shift+M")
    def map(self) -> None:
        """Show the map of all photos, or return to the photos."""
        self.mode_wanted.emit(Mode.MAP)

    @_action(_VIEW, "Pre&view", "Space", "E", icon="image", in_photos=True, repeats=False)
    def single(self) -> None:
        """Show one photo large, or return to the grid; pause or resume a slideshow."""
        if self.show.running:
            self.show.toggle()
        elif not self._photos.close_viewer():
            self._photos.open_viewer()

    @_action(_VIEW, "&Compare side by side", "C", icon="compare", in_photos=True)
    def compare(self) -> None:
        """Show two to four photos side by side, or return to the grid."""
        self._photos.close_viewer()
        self.mode_wanted.emit(Mode.COMPARE)

    @_action(_VIEW, "Cul&ling", "K", icon="stack", in_photos=True, writes=True)
    def cull(self) -> None:
        """Begin or end culling: rating, picking and rejecting photo by photo, with bursts stacked."""
        culling = self._session.culling
        culling.set_on(not culling.on)
        self._photos.focus_photos()

    @_action(_VIEW, "Slides&how", "P", icon="play", in_photos=True, repeats=False)
    def slideshow(self) -> None:
        """Start, pause or resume the slideshow."""
        self.show.toggle()

    @_action(_VIEW, "Rotate &left", "<", in_photos=True, writes=True)
    def turn_left(self) -> None:
        """Rotate the display of the selected photos anticlockwise by a quarter turn."""
        self._session.targets.rotate(-1)

    @_action(_VIEW, "Rotate &right", ">", in_photos=True, writes=True)
    def turn_right(self) -> None:
        """Rotate the display of the selected photos clockwise by a quarter turn."""
        self._session.targets.rotate(1)

    @_action(_VIEW, "&Duplicates", "Ctrl+D", icon="stack")
    def duplicates(self) -> None:
        """Show the groups of duplicates, or return to the photos."""
        self.mode_wanted.emit(Mode.DUPLICATES)

    @_action(_VIEW, "E&xpand or collapse duplicates", "B", place="grid")
    def unfold(self) -> None:
        """Show the duplicates of the current photo in the ranking, or fold them again."""
        photo_id = self._photos.current_id()
        if photo_id is None or not self._session.duplicates.toggle_fold(photo_id):
            self._warn(self.tr("This photo has no duplicates."))

    @_action(_VIEW, "&Heat map", "H", icon="heat", in_photos=True, separated=True)
    def heat_map(self) -> None:
        """Show or hide the heat map: the weight of each place of the focal image."""
        local = self._session.local_view
        if self._local_metric():
            local.show_heat(not local.heat_on)
            viewed = self._photos.current_id() if self._photos.viewing else None
            if local.heat_on and viewed not in (None, self._session.navigator.focal_id):
                self._warn(self.tr("The heat map shows the focal image. Press Enter to set this photo as focal image."))

    @_action(_VIEW, "Heat map: next &kind of patch", "Shift+H", in_photos=True)
    def heat_kind(self) -> None:
        """Show the heat map of the next kind of patch."""
        if self._local_metric():
            self._session.local_view.next_kind()

    @_action(_VIEW, "&Matching patches", "M", icon="matches", in_photos=True)
    def matches(self) -> None:
        """Compare the patches of the focal image and the selected photo, or leave the comparison."""
        if not self._session.local_view.leave_matches() and self._local_metric():
            self._photos.compare_patches()

    def _local_metric(self) -> bool:
        """Return whether photos are ranked by a local metric; if not, offer to train or use one."""
        return self._session.local_view.can_show()

    @_action(_VIEW, "&Order before training (hold)", "O", in_photos=True, repeats=False)
    def old_order(self) -> None:
        """Show the order before the metric changed: while the key is held, or toggled by the menu."""
        movement = self._session.metrics.movement
        if movement.moved:
            movement.show_before(not movement.showing_before)
        else:
            self._warn(
                self.tr("There is no earlier order yet: choose a focal image, then retrain or choose another metric.")
            )

    @_action(_VIEW, "&Larger", "+", "=", "Ctrl++", "Ctrl+=", in_photos=True, separated=True)
    def larger(self) -> None:
        """Make the tiles larger, or zoom in."""
        self._zoom(1)

    @_action(_VIEW, "S&maller", "-", "Ctrl+-", in_photos=True)
    def smaller(self) -> None:
        """Make the tiles smaller, or zoom out."""
        self._zoom(-1)

    def _zoom(self, steps: int) -> None:
        page = self._page()
        (page if isinstance(page, ComparePage) else self._photos).zoom(steps)

    @_action(_VIEW, "&Full screen", "F11", separated=True)
    def full_screen(self) -> None:
        """Enter or leave full screen."""
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    # ------------------------------------------------------------------ navigation
    @_action(_GO, "Set as focal &image", "Return", icon="focal", in_photos=True)
    def focus_selected(self) -> None:
        """Make the current photo (or that of the current suggestion) the focal image."""
        photo_id = self._photos.current_id()
        suggestions = self._suggestion_panel.list
        if suggestions.hasFocus() and not self._photos.viewing:
            row = suggestions.current_row()
            photo_id = row.suggestion.photo_id if row is not None else None
        if photo_id is not None:
            self._photos.close_viewer()
            self._session.navigator.focus(photo_id)

    @_action(_GO, "Rank by the &selected photos", "Shift+Return", in_photos=True)
    def rank_by_selected(self) -> None:
        """Rank by all selected photos at once, as positive examples."""
        targets = self._session.navigator.targets
        if targets:
            self._photos.close_viewer()
            self._session.navigator.rank_by_examples(targets)
        else:
            self._warn(self.tr("Select the photos to rank by first: Ctrl+click, or Shift and the arrow keys."))

    @_action(_GO, "Search by a &part of the photo", "R", icon="part", in_photos=True)
    def choose_part(self) -> None:
        """Draw a box on the focal image, or else the current photo, and search by that part."""
        self._photos.choose_part()

    def choose_part_of(self, photo_id: int) -> None:
        """Draw a box on a photo, and search by that part."""
        self._photos.choose_part(photo_id)

    @_action(_GO, "&Like these too", "Shift+S", in_photos=True)
    def like_these(self) -> None:
        """Add the selected photos to the query as positive examples."""
        self._add_examples(like=True)

    @_action(_GO, "N&ot like these", "Shift+D", in_photos=True)
    def unlike_these(self) -> None:
        """Add the selected photos to the query as negative examples."""
        self._add_examples(like=False)

    def _add_examples(self, *, like: bool) -> None:
        navigator = self._session.navigator
        chosen = [one for one in self._photos.ids_to_judge() if one != navigator.focal_id]
        if not navigator.ranked and not like:
            self._warn(self.tr("Choose a focal image first, or rank by several photos."))
        elif chosen:
            navigator.add_examples(chosen, like=like)
        else:
            self._warn(self.tr("Select photos first, or point at a photo."))

    @_action(_GO, "&Back", "Alt+Left", icon="back", separated=True)
    def back(self) -> None:
        """Go one step back in the trail."""
        self._photos.close_viewer()
        self._session.navigator.back()

    @_action(_GO, "&Forward", "Alt+Right", icon="forward")
    def forward(self) -> None:
        """Go one step forward in the trail."""
        self._photos.close_viewer()
        self._session.navigator.forward()

    @_action(_GO, "&Next photo", "N", in_photos=True, separated=True)
    def next(self) -> None:
        """Go to the next photo."""
        self._photos.step(1)

    @_action(_GO, "&Previous photo", "Backspace", in_photos=True)
    def previous(self) -> None:
        """Go to the previous photo."""
        self._photos.step(-1)

    @_action(_GO, "Go b&ack", "Esc", in_photos=True)
    def escape(self) -> None:
        """Leave the first of: boxes, viewer, comparison, full screen, a filter that hides all, selection, ranking."""
        photos, navigator = self._photos, self._session.navigator
        if self._session.tagging.boxes.stop():
            return
        if photos.close_viewer() or self._session.local_view.leave_matches() or self._session.region_search.stop():
            return
        if self._window.isFullScreen():
            self.full_screen()
        elif photos.empty_page.isVisible() and navigator.collection.query:
            navigator.set_query("")
        elif photos.grid.selected_ids() or navigator.focal_selected:
            self.select_none()
        elif navigator.ranked:
            navigator.back()

    # ------------------------------------------------------------------ help
    @_action(_HELP, "&Guide", "F1", icon="info")
    def guide(self) -> None:
        """Show the guide to the current part of the window."""
        self.guide_wanted.emit()

    @_action(_HELP, "&Keys", "?", icon="keyboard")
    def shortcuts(self) -> None:
        """Show all keys, those of the current page first."""
        self.keys_wanted.emit()

    @_action(_HELP, "&About Focal")
    def about(self) -> None:
        """Show information about the program."""
        self._dialogs.show_about()

    def _warn(self, text: str) -> None:
        self._session.notices.post(text, Severity.WARNING)
