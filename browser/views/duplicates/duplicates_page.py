# SPDX-License-Identifier: MIT
"""Groups of duplicates: the photo to keep with the reason, and actions on the others."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QListWidget, QScrollArea, QStackedWidget, QWidget

from focal_photos.browser.catalog.facts.marks import REJECTED
from focal_photos.browser.models.photos.formatting import file_size, grouped, no_photos_yet, photos_in_words
from focal_photos.browser.models.photos.tiles import SMALL_TILE, PhotoCard
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.duplicates import find_duplicates, keeper
from focal_photos.browser.operations.duplicates.same_picture import WHOLE_PICTURE
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel, label
from focal_photos.browser.views.base.layouts import FlowLayout, clear_layout, in_column, in_row
from focal_photos.browser.views.base.modes import ModePage, PageBar
from focal_photos.browser.views.base.painting import square_icon
from focal_photos.browser.views.base.scope_bar import BOXES_KEY, CLEAR_KEY, ScopeBar
from focal_photos.browser.views.base.theme import Theme, set_property
from focal_photos.browser.views.photos.picture import Picture
from focal_photos.browser.views.tags.tag_field import TagField

_SIDE: Final = 320
_CHANNEL: Final = "duplicates"


class _Tile(QFrame):
    """One photo or box of a group."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, photo_id: int) -> None:
        super().__init__()
        self.setObjectName("comparePane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.photo_id = photo_id
        self.picture = Picture(theme)
        self.picture.setFixedSize(_SIDE, round(_SIDE * 0.75))
        self.picture.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.verdict = ElidedLabel("", "title")
        self.name = ElidedLabel("", "")
        self.facts = ElidedLabel("", "soft")
        in_column(self.picture, self.verdict, self.name, self.facts, margins=8, spacing=4, parent=self)
        self.setFixedWidth(_SIDE + 20)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep this photo."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit(self.photo_id)


class DuplicatesPage(ModePage):
    """A list of groups, and the photos of the current one."""

    comparing_wanted = Signal()
    """The user wants to compare the photos of the group, which are selected, side by side."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("duplicatesPage")
        self.setAccessibleName(self.tr("Duplicates"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._session, self._theme = session, theme
        self._duplicates = session.duplicates
        self.tiles: list[_Tile] = []
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Groups"))
        self.list.setFixedWidth(250)
        self.list.currentRowChanged.connect(self._duplicates.go)
        self.list.setIconSize(QSize(SMALL_TILE.width // 2, SMALL_TILE.height // 2))
        self.list.setSpacing(2)
        self.list.verticalScrollBar().valueChanged.connect(self._show_icons)
        self._photos = QGridLayout()
        self._photos.setSpacing(10)
        self._photos.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._nothing = label("", "soft", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setMargin(40)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._group_view())
        self._pages.addWidget(self._nothing)
        rows = in_column(self._heading(), (self._pages, 1), margins=0, spacing=0, parent=self)
        self._bar = self._foot()
        rows.addWidget(self._bar)
        self._duplicates.changed.connect(self._show)
        self._duplicates.current_changed.connect(self._show_group)
        session.loader.loaded.connect(self._show_pictures)
        session.overview.changed.connect(self._read)
        session.scope.items_changed.connect(self._follow_items)
        self._show()

    # ------------------------------------------------------------------ creation
    def _heading(self) -> QWidget:
        bar = PageBar()
        self.scope_bar = ScopeBar(self._session.scope, self.tr("Duplicates of"), self)
        self.scope_bar.offer_boxes(True)
        self._counts = ElidedLabel("", "soft")
        row = in_row(margins=(16, 8, 12, 8), spacing=12, parent=bar)
        self.everywhere_button = button("", "", self.reject_everywhere)
        self.everywhere_button.setToolTip(
            self.tr(
                "Keeps the proposed version of each picture (Shift+R). Bursts are not included. Files stay unchanged."
            )
        )
        policy = self.everywhere_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # otherwise the groups would jump
        self.everywhere_button.setSizePolicy(policy)
        row.addWidget(self.scope_bar)
        row.addWidget(self._counts, 1)
        row.addWidget(self.everywhere_button)
        return bar

    def _group_view(self) -> QWidget:
        page, inside = QWidget(), QWidget()
        inside.setLayout(self._photos)
        self._photos.setContentsMargins(12, 12, 12, 12)
        area = self._area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        area.viewport().installEventFilter(self)
        self._title = label("", "title")
        heading = in_row(
            self._title,
            (HintLabel(self.tr("click or ← →: choose which to keep"), "faint"), 1),
            margins=(14, 10, 14, 0),
            spacing=12,
        )
        right = in_column(heading, (area, 1), spacing=0)
        in_row(self.list, (right, 1), margins=0, spacing=0, parent=page)
        return page

    def _foot(self) -> QWidget:
        bar = PageBar()
        self.reject_button = button(self.tr("Reject the duplicates"), "primary", self.reject_others)
        self.reject_button.setToolTip(self.tr("Rate them as rejected (R). Files stay unchanged."))
        self.delete_button = button(self.tr("Delete the others"), "primary", self._duplicates.delete_others)
        self.delete_button.setToolTip(
            self.tr("Delete the other boxes of the same photo (Del). Boxes of other photos stay, and files unchanged.")
        )
        self.merge_button = button("", "", self._duplicates.merge)
        self.apart_button = button(self.tr("Not duplicates"), "", self._duplicates.keep_apart)
        self.field = TagField(self._session)
        self.field.setPlaceholderText(self.tr("Tag the others"))
        self.field.setAccessibleName(self.tr("Tag the others"))
        self.field.setMaximumWidth(260)
        self.field.setMinimumWidth(self.fontMetrics().horizontalAdvance(self.field.placeholderText()) + 30)
        self.field.setEnabled(not self._session.read_only)
        self.field.entered.connect(lambda add, _remove: self._duplicates.tag_others(",".join(add)))
        self.field.finished.connect(self.setFocus)
        self.compare_button = button(self.tr("Compare"), "", self.compare)
        self.compare_button.setToolTip(self.tr("Side by side, up to four (C)"))
        self.select_button = button(self.tr("Select in the grid"), "", self.select)
        self.select_button.setToolTip(self.tr("Show the photos of this group selected in the grid (Enter)"))
        self.next_button = button(self.tr("Next group"), "", lambda: self._step(1))
        self.next_button.setToolTip(self.tr("Skip this group (Space)"))
        buttons = FlowLayout(8)
        for widget in (
            self.reject_button,
            self.delete_button,
            self.merge_button,
            self.apart_button,
            self.field,
            self.compare_button,
            self.select_button,
            self.next_button,
        ):
            buttons.addWidget(widget)
        in_row(buttons, margins=(12, 7, 16, 7), parent=bar)
        return bar

    # ------------------------------------------------------------------ the mode
    def keys(self) -> list[tuple[str, list[str]]]:
        """Return the keys of this page."""
        return [
            (self.tr("Reject the duplicates"), ["R"]),
            (self.tr("Reject duplicates in all groups"), ["Shift+R"]),
            (self.tr("Merge the others into the kept photo, and reject them"), ["M"]),
            (self.tr("Boxes instead of photos"), [BOXES_KEY]),
            (self.tr("Delete the other boxes of the same photo"), ["Del"]),
            (self.tr("Give the other boxes the name of the kept one"), ["M"]),
            (self.tr("Not duplicates"), ["N"]),
            (self.tr("Keep another photo"), ["Left", "Right"]),
            (self.tr("Skip this group"), ["Space", "Down"]),
            (self.tr("Previous group"), ["Backspace", "Up"]),
            (self.tr("Compare"), ["C"]),
            (self.tr("Tag the others"), ["T"]),
            (self.tr("Select in the grid"), ["Return"]),
            (self.tr("Switch to the whole library"), [CLEAR_KEY]),
        ]

    def enter(self) -> None:
        """Search for duplicates if that has not been done yet."""
        self._duplicates.find_once(boxes=self._duplicates.boxes)
        super().enter()
        self._show()
        self._read()

    def _follow_items(self) -> None:
        """Follow a switch between photos and boxes."""
        if self.isVisible():
            self._duplicates.find_once(boxes=self._duplicates.boxes)
        self._show()

    # ------------------------------------------------------------------ user actions
    def reject_others(self) -> None:
        """Rate the others as rejected, and go to the next group."""
        self._duplicates.reject_others()

    def reject_everywhere(self) -> None:
        """Rate the others as rejected in all groups of copies."""
        self._duplicates.reject_everywhere()

    def select(self) -> None:
        """Return to the grid with the photos of the group selected, or those of its boxes."""
        group = self._duplicates.group
        if group is not None:
            photos = dict.fromkeys(one.of_photo or one.photo_id for one in group.members)
            self._session.navigator.show_selected(tuple(photos))
            self.left.emit()

    def compare(self) -> None:
        """Show the photos of the group side by side."""
        group = self._duplicates.group
        if group is not None and not self._duplicates.boxes:
            self._session.comparison.requested = group.photo_ids
            self.comparing_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys for groups and photos."""
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_PageDown):
            self._step(1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Backspace, Qt.Key.Key_PageUp):
            self._step(-1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._choose_beside(1 if key == Qt.Key.Key_Right else -1)
        elif key == Qt.Key.Key_R:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.reject_everywhere() if shift else self.reject_others()
        elif key == Qt.Key.Key_Delete and self._duplicates.boxes:
            self._duplicates.delete_others()
        elif key == Qt.Key.Key_M:
            self._duplicates.merge()
        elif key == Qt.Key.Key_N:
            self._duplicates.keep_apart()
        elif key == Qt.Key.Key_C:
            self.compare()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.select()
        else:
            super().keyPressEvent(event)

    def edit_tags(self) -> None:
        """Move the focus to the tag field for the others; without effect on boxes."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _step(self, by: int) -> None:
        self._duplicates.go(self._duplicates.current + by)

    def _choose_beside(self, by: int) -> None:
        ids = [tile.photo_id for tile in self.tiles]
        if self._duplicates.keep in ids:
            place = ids.index(self._duplicates.keep) + by
            if 0 <= place < len(ids):
                self._duplicates.choose(ids[place])

    # ------------------------------------------------------------------ display
    def counts(self) -> str:
        """Return the text of the counts."""
        return self._counts.full_text()

    def _show(self) -> None:
        duplicates = self._duplicates
        groups = duplicates.groups
        self._pages.setCurrentIndex(0 if groups else 1)
        self._bar.setVisible(bool(groups))
        count = sum(len(group.photo_ids) for group in groups)
        boxes = QCoreApplication.translate("duplicates", "%n boxes", "", count)
        counted = QCoreApplication.translate("duplicates", "%n groups", "", len(groups))
        text = f"{counted}, {boxes if duplicates.boxes else photos_in_words(count)}" if groups else ""
        done = sum(duplicates.is_done(group) for group in groups)
        if done:
            text += "  \N{MIDDLE DOT}  " + self.tr("{0} done").format(grouped(done))
        if duplicates.busy:
            text = "   ".join(part for part in (text, self.tr("looking\N{HORIZONTAL ELLIPSIS}")) if part)
        self._counts.setText(text)
        self._nothing.setText(self._why_nothing())
        pictures = len(duplicates.open_pictures)
        self.everywhere_button.setVisible(pictures > 1)
        self.everywhere_button.setText(self.tr("Reject duplicates in all {0} groups").format(grouped(pictures)))
        self.everywhere_button.setEnabled(not self._session.read_only)
        titles = [self._listed(group) for group in groups]
        if len(titles) == self.list.count():
            for row, title in enumerate(titles):
                self.list.item(row).setText(title)
        else:
            self.list.blockSignals(True)
            self.list.clear()
            self.list.addItems(titles)
            for row in range(self.list.count()):
                self.list.item(row).setSizeHint(QSize(0, SMALL_TILE.height // 2 + 8))
            self.list.blockSignals(False)
        self._show_group()

    def _why_nothing(self) -> str:
        duplicates = self._duplicates
        if duplicates.busy or not (duplicates.found or duplicates.obstacle):
            return self.tr("Looking for duplicates…")
        if not self._session.overview.now.photos:
            return no_photos_yet()
        if duplicates.boxes and not duplicates.limited and not duplicates.obstacle:
            return self.tr("No two boxes show the same part of a photo or the same picture.")
        if duplicates.limited and not duplicates.obstacle:
            return self.tr("There are no duplicates among these photos, but there are some in the whole library.")
        return duplicates.obstacle or self.tr(
            "No duplicates found. Identical files count as one photo: find them with the filter “copied”."
        )

    def _listed(self, group: find_duplicates.Group) -> str:
        text = self.tr("{0} boxes") if self._duplicates.boxes else self.tr("{0} versions")
        text = text.format(len(group.members))
        if group.kind is find_duplicates.GroupKind.BURST:
            text = self.tr("{0} photos in {1} s").format(len(group.members), max(1, group.seconds))
        return f"{text}  \N{CHECK MARK}" if self._duplicates.is_done(group) else text

    def _show_group(self) -> None:
        group = self._duplicates.group
        ids = () if group is None else group.photo_ids
        if ids != tuple(tile.photo_id for tile in self.tiles):
            clear_layout(self._photos)
            self.tiles = [_Tile(self._theme, photo_id) for photo_id in ids]
            for tile in self.tiles:
                tile.chosen.connect(self._duplicates.choose)
            self._lay_out()
            self._read()
        self.list.blockSignals(True)
        self.list.setCurrentRow(self._duplicates.current if group is not None else -1)
        self.list.blockSignals(False)
        writable = group is not None and not self._session.read_only
        for widget in (self.reject_button, self.merge_button, self.apart_button):
            widget.setEnabled(writable)
        self._show_buttons(writable=writable)
        for widget in (self.compare_button, self.select_button, self.next_button):
            widget.setEnabled(group is not None)
        if group is None:
            return
        # already loaded, because there are groups

        title = self.tr("Taken within {0} s of each other").format(max(1, group.seconds))
        if group.kind is not find_duplicates.GroupKind.BURST:
            same_photo = len({one.of_photo for one in group.members}) == 1 and self._duplicates.boxes
            title = self.tr("Same part of a photo") if same_photo else self.tr("Same picture")
        self._title.setText(title)
        for tile, member in zip(self.tiles, group.members, strict=True):
            stays = tile.photo_id == self._duplicates.keep
            set_property(tile, "current", "true" if stays else "false")
            tile.verdict.setText(self._verdict(group, member, stays))
        self._show_pictures()

    def _show_buttons(self, *, writable: bool) -> None:
        """Show the actions for photos or for boxes."""
        duplicates = self._duplicates
        for widget in (self.reject_button, self.field, self.compare_button):
            widget.setVisible(not duplicates.boxes)
        self.delete_button.setVisible(duplicates.boxes)
        self.delete_button.setEnabled(writable and bool(duplicates.drawn_again))
        self.merge_button.setEnabled(writable and not (duplicates.boxes and duplicates.kept_name is None))
        self.apart_button.setToolTip(
            self.tr("Never group these boxes again (N)")
            if duplicates.boxes
            else self.tr("Never group these photos again (N)")
        )
        self.merge_button.setText(self.tr("Merge names") if duplicates.boxes else self.tr("Merge"))
        self.merge_button.setToolTip(
            self.tr("Give all boxes of the group the name of the kept one (M)")
            if duplicates.boxes
            else self.tr("Give the kept photo the tags, rating and judgements of the others, then reject these (M)")
        )

    def _lay_out(self) -> None:
        """Place the photos in as many columns as fit."""
        columns = max(1, (self._area.viewport().width() - 14) // (_SIDE + 30))
        for place, tile in enumerate(self.tiles):
            self._photos.addWidget(tile, *divmod(place, columns))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lay the photos out again when their area, which is shown with the first groups, changes its size."""
        if event.type() == QEvent.Type.Resize and watched is self._area.viewport():
            self._lay_out()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the icons that have come into sight."""
        super().resizeEvent(event)
        self._show_icons()

    def _verdict(self, group: find_duplicates.Group, member: keeper.Member, stays: bool) -> str:
        if not stays:
            return ""
        if member is not group.members[0]:
            return self.tr("Keep: your choice")
        reasons = {
            keeper.Reason.RATED: self.tr("Keep: best rated"),
            keeper.Reason.NAMED: self.tr("Keep: named"),
            keeper.Reason.LARGEST: self.tr("Keep: largest"),
            keeper.Reason.SHARPEST: self.tr("Keep: sharpest"),
            keeper.Reason.LEAST_COMPRESSED: self.tr("Keep: least compressed"),
            keeper.Reason.FIRST: self.tr("Keep: the first"),
        }
        return reasons[keeper.Reason(group.why)]

    def _read(self) -> None:
        if self._duplicates.group is not None and self.isVisible():
            self._duplicates.read_cards(self._show_cards)

    def _show_cards(self, cards: dict[int, PhotoCard]) -> None:
        for tile in self.tiles:
            card = cards.get(tile.photo_id)
            if card is None:
                continue
            photo = card.photo
            tile.name.show_file_name(card.name)
            part = card.region or WHOLE_PICTURE
            width, height = (part.x1 - part.x0) * (photo.width or 0), (part.y1 - part.y0) * (photo.height or 0)
            facts = [f"{round(width)} \N{MULTIPLICATION SIGN} {round(height)}"] if photo.width else []
            if card.region is not None:
                tile.facts.setText("  \N{MIDDLE DOT}  ".join([*facts, *(card.tags or [self.tr("no name")])]))
                continue
            facts.append(file_size(photo.bytes))
            if card.rating == REJECTED:
                facts.append(self.tr("rejected"))
            elif card.rating:
                facts.append("\N{BLACK STAR}" * card.rating)
            facts += card.tags
            tile.facts.setText("  \N{MIDDLE DOT}  ".join(facts))

    def _show_icons(self, _value: int = 0) -> None:
        """Show the kept photo of each visible group."""
        groups = self._duplicates.groups
        if not groups or not self.isVisible():
            return
        height = self.list.viewport().height()
        first = max(self.list.indexAt(QPoint(4, 4)).row(), 0)
        last = self.list.indexAt(QPoint(4, height - 4)).row()
        rows = range(first, (len(groups) if last < 0 else last + 1))
        ids = [groups[row].photo_ids[0] for row in rows if row < self.list.count()]
        loader = self._session.loader
        loader.request(f"{_CHANNEL} list", ids, SMALL_TILE)
        for row, photo_id in zip(rows, ids, strict=False):
            image = loader.image(photo_id, SMALL_TILE)
            if image is not None and not image.isNull():
                self.list.item(row).setIcon(square_icon(image))

    def _show_pictures(self, _ids: object = None) -> None:
        if not self.tiles or not self.isVisible():
            return
        self._show_icons()
        ratio = self.devicePixelRatioF()
        size = PixelSize(round(_SIDE * ratio), round(_SIDE * 0.75 * ratio))
        loader = self._session.loader
        loader.request(_CHANNEL, [tile.photo_id for tile in self.tiles], size)
        for tile in self.tiles:
            image: QImage | None = loader.image(tile.photo_id, size)
            tile.picture.show_image(image)
