# SPDX-License-Identifier: MIT
"""The settings page of the user's networks."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QInputDialog, QListWidget, QListWidgetItem, QWidget

from focal_photos.browser.models.photos.formatting import grouped, photos_in_words
from focal_photos.browser.models.settings.networks import Networks
from focal_photos.browser.models.settings.preferences import Preferences
from focal_photos.browser.operations.describing.networks import NetworkState
from focal_photos.browser.operations.describing.try_network import NetworkTrial
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import in_column, in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.settings.network_dialog import NetworkDialog
from focal_photos.browser.views.settings.network_trial import trial_in_words


class NetworksPage(QWidget):
    """A list of the networks with buttons below it. Files dropped on it begin a new network."""

    def __init__(self, preferences: Preferences, networks: Networks, theme: Theme) -> None:
        super().__init__()
        self._preferences, self._networks, self._theme = preferences, networks, theme
        self.setAcceptDrops(not preferences.read_only)
        self.list = QListWidget()
        self.list.setSpacing(4)
        self.list.setAccessibleName(self.tr("Networks"))
        self.add_button = button(self.tr("Add network\N{HORIZONTAL ELLIPSIS}"), "", self.ask_for_network)
        self.try_button = button(self.tr("Try on 10 photos"), "", self._try_or_cancel)
        self.rename_button = button(self.tr("Rename\N{HORIZONTAL ELLIPSIS}"), "", self._rename)
        self.remove_button = button(self.tr("Remove network"), "", self._remove)
        self.remove_button.setToolTip(self.tr("Remove the chosen network from the library; its file stays"))
        self.result = label("", "soft", wrap=True)
        self.result.hide()
        buttons = in_row(spacing=8)
        for each in (self.add_button, self.try_button, self.rename_button, self.remove_button):
            each.setAutoDefault(False)
            buttons.addWidget(each)
        buttons.addStretch(1)
        layout = in_column(margins=0, spacing=10, parent=self)
        for text in self._what_to_get():
            layout.addWidget(label(text, "soft", wrap=True))
        layout.addWidget(self.list, 1)
        layout.addWidget(self.result)
        layout.addLayout(buttons)
        self.list.currentRowChanged.connect(self._show_buttons)
        networks.changed.connect(self._show)
        networks.refused.connect(self._say)
        preferences.descriptors.modelReset.connect(self._read)
        preferences.descriptors.dataChanged.connect(self._read)
        self._show()

    def _what_to_get(self) -> tuple[str, ...]:
        return (
            self.tr(
                "Your own network is another way to compare photos: an ONNX file that includes its weights, "
                "takes an image and returns numbers. Focal does not download networks: choose a file, or drop "
                "it here."
            ),
            self.tr(
                "To place similar things near each other, use an image encoder, or the second-to-last layer of "
                "a classifier. For faces, plants or tissue, use a network trained on such images. To search by "
                "text, use an image-and-text network: a file for images, a file for texts, and a "
                "tokenizer.json."
            ),
        )

    def ask_for_network(self, files: tuple[Path, ...] = ()) -> None:
        """Let the user choose a network and describe its input; the given files fill in the form."""
        dialog = NetworkDialog(self._preferences, self._theme, self, self._networks)
        dialog.take_files(files)
        dialog.open()

    # ------------------------------------------------------------------ display
    def _read(self) -> None:
        if self.isVisible():  # because reading loads each network
            self._networks.read()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the networks again."""
        super().showEvent(event)
        self._networks.read()

    @property
    def _current(self) -> NetworkState | None:
        row = self.list.currentRow()
        return self._networks.states[row] if 0 <= row < len(self._networks.states) else None

    def _show(self) -> None:
        row = self.list.currentRow()
        texts = [self._line(one) for one in self._networks.states]
        if texts != [self.list.item(number).text() for number in range(self.list.count())]:
            self.list.clear()
            for text in texts:
                self.list.addItem(QListWidgetItem(text))
            self.list.setCurrentRow(min(max(row, 0), len(texts) - 1))
        self._show_buttons()

    def _line(self, state: NetworkState) -> str:
        network = state.network
        what = self.tr("images and texts") if network.text is not None else self.tr("images")
        on = self.tr("on") if state.on else self.tr("off")
        parts = (
            self.tr("{0} values").format(grouped(network.dimension)),
            what,
            on,
            photos_in_words(state.photos),
            state.backend,
        )
        return network.title + "\n" + "  \N{MIDDLE DOT}  ".join(parts)

    def _show_buttons(self) -> None:
        chosen, writes = self._current is not None, not self._preferences.read_only
        trying = self._networks.trying
        self.add_button.setEnabled(writes)
        self.try_button.setEnabled(chosen or trying)
        self.try_button.setText(self.tr("Cancel the trial") if trying else self.tr("Try on 10 photos"))
        self.rename_button.setEnabled(chosen and writes)
        self.remove_button.setEnabled(chosen and writes)

    def _say(self, text: str) -> None:
        self.result.setText(text)
        self.result.show()

    # ------------------------------------------------------------------ actions
    def _try_or_cancel(self) -> None:
        state = self._current
        if self._networks.trying:
            self._networks.cancel()
        elif state is not None:
            self.result.hide()
            title = state.network.title

            def done(trial: NetworkTrial) -> None:
                self._say(f"{title}: {trial_in_words(trial)}")

            self._networks.try_listed(state.network.name, done)

    def _rename(self) -> None:
        state = self._current
        if state is not None:
            title, prompt = self.tr("Rename the network"), self.tr("Display name:")
            text, chosen = QInputDialog.getText(self, title, prompt, text=state.network.title)
            if chosen:
                self._networks.rename(state.network.name, text)

    def _remove(self) -> None:
        state = self._current
        if state is not None:
            self._preferences.remove_network(state.network.name)
            self.list.setFocus()  # because the disabled button would lose the focus

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        """Begin a new network with the files."""
        files = tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
        event.accept()
        self.ask_for_network(files)
