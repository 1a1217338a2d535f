# SPDX-License-Identifier: MIT
"""The guide: contents at the left, a chapter at the right, and a search field."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QBrush,
    QDesktopServices,
    QKeyEvent,
    QKeySequence,
    QShortcut,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
)
from PySide6.QtWidgets import QLineEdit, QSplitter, QTextBrowser, QTextEdit, QTreeWidget, QTreeWidgetItem, QWidget

from focal_photos.browser.models.help.guide import INDEX, TABLES, Place, folders, read_guide
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.settings.plugins import Plugins
from focal_photos.browser.views.base.buttons import add_clear_button, tool_button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import in_column, in_row
from focal_photos.browser.views.base.theme import Theme, scaled_font

_PLACE: Final = Qt.ItemDataRole.UserRole
_SIZE: Final = (980, 720)
_PICTURE: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Character of the text that represents a picture."""
_MARGIN: Final = 24.0


class GuideWindow(QWidget):
    """A window with the guide, which does not block other windows."""

    def __init__(self, theme: Theme, plugins: Plugins, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("guideWindow")
        self.setWindowTitle(self.tr("Guide"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._plugins = plugins
        self._with_plugins = False
        plugins.rows_read.connect(self._add_plugins)
        # each translation contains its own language code
        self._language = QCoreApplication.translate("guide", "en")
        self._guide = read_guide(self._language)
        self._trail: list[Place] = []
        self._at = -1
        self._file = ""
        self._going = False
        self._top = 0  # scroll position of the current heading
        self._scrolling = QTimer(self, singleShot=True, interval=0)
        self._scrolling.timeout.connect(lambda: self._scroll_to(self.place.anchor))
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find (Ctrl+F)"))
        self.field.setAccessibleName(self.tr("Find in the guide"))
        add_clear_button(self.field)
        self.field.textChanged.connect(self._find)
        self.field.returnPressed.connect(self._next_found)
        self.contents = QTreeWidget()
        """The chapters with their sections, or the search results."""
        self.contents.setAccessibleName(self.tr("Contents"))
        self.contents.setHeaderHidden(True)
        self.contents.setUniformRowHeights(True)
        self.contents.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.contents.setRootIsDecorated(False)
        self.contents.setIndentation(16)
        self.contents.currentItemChanged.connect(self._choose)
        self.nothing = label(self.tr("Nothing found."), "soft")
        self.nothing.hide()
        self.text = QTextBrowser()
        self.text.setAccessibleName(self.tr("Chapter"))
        self.text.setOpenLinks(False)
        self.text.setSearchPaths(folders(self._language))
        self.text.setFont(scaled_font(self.font(), 1.12))
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.text.horizontalScrollBar().rangeChanged.connect(self._show_bar)
        for watched in (self.field, self.text.viewport()):
            watched.installEventFilter(self)
        self.text.anchorClicked.connect(lambda url: self.follow(url.toString()))
        self.note = label("", "soft", wrap=True)
        self.note.hide()
        self.back_button = tool_button(theme, "back", self.tr("Back (Alt+Left)"), self.back)
        self.forward_button = tool_button(theme, "forward", self.tr("Forward (Alt+Right)"), self.forward)
        self._lay_out()
        for keys, what in (("Alt+Left", self.back), ("Alt+Right", self.forward), ("Esc", self.close)):
            QShortcut(QKeySequence(keys), self, what)
        QShortcut(QKeySequence("Ctrl+F"), self, self._to_field)
        theme.changed.connect(self._show_again)
        self._fill()
        self.resize(*_SIZE)
        self.setMinimumSize(560, 400)

    def _lay_out(self) -> None:
        top = in_row(self.back_button, self.forward_button, (self.field, 1), spacing=4)
        side = QWidget()
        in_column(top, self.nothing, (self.contents, 1), margins=(10, 10, 6, 10), spacing=8, parent=side)
        page = QWidget()
        self.note.setContentsMargins(int(_MARGIN), 8, int(_MARGIN), 8)
        in_column((self.text, 1), self.note, margins=0, spacing=0, parent=page)
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.setHandleWidth(1)
        columns.setChildrenCollapsible(False)
        columns.addWidget(side)
        columns.addWidget(page)
        columns.setStretchFactor(1, 1)
        columns.setSizes([270, 700])
        in_row(columns, margins=0, parent=self)

    # ------------------------------------------------------------------ places
    @property
    def place(self) -> Place:
        """The current chapter and heading."""
        return self._trail[self._at] if self._trail else Place(INDEX)

    def show_place(self, place: Place) -> None:
        """Go to a chapter and a heading in it."""
        if self._trail and place == self.place:
            self._go()
            return
        del self._trail[self._at + 1 :]
        self._trail.append(place)
        self._at = len(self._trail) - 1
        self._go()

    def follow(self, link: str) -> None:
        """Follow a link within the guide, or to a web page; for files of the source code, only show a note."""
        place = self._guide.follow(link, self._file)
        self.note.hide()
        if place is not None:
            self.show_place(place)
        elif QUrl(link).scheme() in ("http", "https"):
            QDesktopServices.openUrl(QUrl(link))
        else:
            text = self.tr("{0} is part of Focal's source code, which this window does not show.")
            self.note.setText(text.format(link.lstrip("./")))
            self.note.show()

    def back(self) -> None:
        """Go back to the previous place."""
        if self._at > 0:
            self._at -= 1
            self._go()

    def forward(self) -> None:
        """Go forward to the next place."""
        if self._at < len(self._trail) - 1:
            self._at += 1
            self._go()

    def _go(self) -> None:
        place = self.place
        self.note.hide()
        if place.file != self._file:
            self._file = self._guide.chapter(place.file).file
            self._show_chapter()
            if not self._with_plugins and any(table.file == self._file for table in TABLES):
                self._with_plugins = True
                self._plugins.read_guide_rows()  # imports them, so not before such a table is shown
        self._scroll_to(place.anchor)
        self.back_button.setEnabled(self._at > 0)
        self.forward_button.setEnabled(self._at < len(self._trail) - 1)
        self._mark()
        self._show_in_contents()

    def _add_plugins(self) -> None:
        """Add plug-ins to the tables; the place of the reader stays."""
        self._guide = read_guide(self._language).with_rows(self._plugins.guide_rows)
        if any(rows and place.file == self._file for place, rows in self._plugins.guide_rows.items()):
            bar = self.text.verticalScrollBar()
            at = None if bar.value() == self._top else bar.value()
            self._show_again()
            if at is not None:
                bar.setValue(at)

    def _show_again(self) -> None:
        if self._file:
            self._show_chapter()
            self._scroll_to(self.place.anchor)
            self._mark()

    # ------------------------------------------------------------------ the text
    def _show_bar(self, _least: int, most: int) -> None:
        """Show the horizontal scroll bar for long lines; a table may be one pixel too wide because of rounding."""
        policy = Qt.ScrollBarPolicy
        self.text.setHorizontalScrollBarPolicy(policy.ScrollBarAsNeeded if most > 1 else policy.ScrollBarAlwaysOff)

    def _show_chapter(self) -> None:
        document = self.text.document()
        document.setDefaultFont(self.text.font())
        chapter = self._guide.chapter(self._file)
        text = chapter.text
        if chapter.language != self._language:
            text = f"*{self.tr('This chapter is not translated yet: it is shown in English.')}*\n\n{text}"
        self.text.setMarkdown(text)
        document.setDocumentMargin(_MARGIN)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._set_table(frame)
        self._space_headings(document)
        self._fit_pictures()

    def _set_table(self, table: QTextTable) -> None:
        """Set the borders of a table, and a font small enough for all of its columns."""
        form = table.format()
        form.setBorder(1)
        form.setBorderCollapse(True)
        form.setBorderBrush(QBrush(self._theme.color("border")))
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setCellPadding(5)
        table.setFormat(form)
        cursor = table.firstCursorPosition()
        cursor.setPosition(table.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        letters = QTextCharFormat()
        letters.setFont(
            scaled_font(self.font(), 1), QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesSpecifiedOnly
        )
        cursor.mergeCharFormat(letters)
        # in code, Qt retains the backslash that keeps a bar from ending a cell
        bar = table.document().find("\\|", table.firstPosition())
        while not bar.isNull() and bar.position() <= table.lastPosition():
            bar.insertText("|")
            bar = table.document().find("\\|", bar)

    def _fit_pictures(self) -> None:
        """Make pictures at most as wide as the text."""
        width = QTextLength(QTextLength.Type.PercentageLength, 100)
        at = self.text.document().find(_PICTURE)
        while not at.isNull():
            form = at.charFormat().toImageFormat()
            form.setMaximumWidth(width)
            at.setCharFormat(form)
            at = self.text.document().find(_PICTURE, at)

    def _space_headings(self, document: QTextDocument) -> None:
        """Add space above and below headings."""
        block = document.begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                cursor, form = QTextCursor(block), block.blockFormat()
                form.setTopMargin(18 if block.blockNumber() else 0)
                form.setBottomMargin(6)
                cursor.setBlockFormat(form)
            block = block.next()

    def _scroll_to(self, anchor: str) -> None:
        """Scroll to a heading, which appears at the top of the view."""
        block = self._heading(anchor)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        bar = self.text.verticalScrollBar()
        bar.setValue(0)
        if block is not None:
            self.text.setTextCursor(QTextCursor(block))
            top = self.text.document().documentLayout().blockBoundingRect(block).top()
            bar.setValue(round(top) - 6)
        self._top = bar.value()

    def _heading(self, anchor: str) -> QTextBlock | None:
        anchors = [section.anchor for section in self._guide.chapter(self._file).sections]
        left = anchors.index(anchor) if anchor in anchors else -1
        block = self.text.document().begin()
        while left >= 0 and block.isValid():
            if block.blockFormat().headingLevel():
                if not left:
                    return block
                left -= 1
            block = block.next()
        return None

    def _mark(self) -> None:
        """Mark the searched words."""
        marks: list[QTextEdit.ExtraSelection] = []
        form = QTextCharFormat()
        form.setBackground(self._theme.color("focal", 0.35))
        for word in self.field.text().split():
            cursor = self.text.document().find(word)
            while not cursor.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = cursor, form
                marks.append(mark)
                cursor = self.text.document().find(word, cursor)
        self.text.setExtraSelections(marks)

    # ------------------------------------------------------------------ contents
    def _fill(self) -> None:
        """List the chapters with their sections."""
        self._going = True
        self.contents.clear()
        for chapter in self._guide.chapters:
            item = QTreeWidgetItem(self.contents, [chapter.title])
            item.setData(0, _PLACE, Place(chapter.file))
            for section in chapter.sections[1:]:
                inner = QTreeWidgetItem(item, [section.title])
                inner.setData(0, _PLACE, Place(chapter.file, section.anchor))
        self._going = False

    def _find(self, words: str) -> None:
        """List the search results instead of the contents."""
        if not words.strip():
            self.nothing.hide()
            self._fill()
            self._show_in_contents()
            self._mark()
            return
        self._going = True
        self.contents.clear()
        for chapter, section in self._guide.find(words):
            own = section is chapter.sections[0]
            item = QTreeWidgetItem(self.contents, [chapter.title if own else f"{chapter.title}: {section.title}"])
            item.setData(0, _PLACE, Place(chapter.file, "" if own else section.anchor))
            item.setToolTip(0, tool_tip(item.text(0)))
        self._going = False
        self.nothing.setVisible(self.contents.topLevelItemCount() == 0)
        self._mark()

    def _next_found(self) -> None:
        """Go to the next search result, from the last one to the first."""
        count, current = self.contents.topLevelItemCount(), self.contents.currentItem()
        if self.field.text().strip() and count:
            row = -1 if current is None else self.contents.indexOfTopLevelItem(current)
            following = self.contents.topLevelItem((row + 1) % count)
            if following is not None:
                self.contents.setCurrentItem(following)

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        place = None if item is None else item.data(0, _PLACE)
        if isinstance(place, Place) and not self._going:
            self.show_place(place)

    def _show_in_contents(self) -> None:
        """Select the current place in the contents."""
        place = self.place
        self.contents.collapseAll()
        for row in range(self.contents.topLevelItemCount()):
            top = self.contents.topLevelItem(row)
            inner = [] if top is None else [top.child(number) for number in range(top.childCount())]
            for item in [top, *inner]:
                if top is not None and item is not None and item.data(0, _PLACE) == place:
                    self._going = True
                    top.setExpanded(True)
                    self.contents.setCurrentItem(item)
                    self._going = False
                    return

    # ------------------------------------------------------------------ keys
    def _to_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go from the field to the results on Down; keep the heading at the top when the text is laid out again."""
        if watched is self.text.viewport():
            scrolled = self.text.verticalScrollBar().value() != self._top
            if event.type() == QEvent.Type.Resize and not scrolled:
                self._scrolling.start()
            return super().eventFilter(watched, event)
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if watched is self.field and pressed and event.key() == Qt.Key.Key_Down:  # type: ignore[attr-defined]
            self.contents.setFocus(Qt.FocusReason.OtherFocusReason)
            first = self.contents.topLevelItem(0)
            if self.contents.currentItem() is None and first is not None:
                self.contents.setCurrentItem(first)
            return True
        return super().eventFilter(watched, event)
