# SPDX-License-Identifier: MIT
"""The page shown instead of the grid without a question: the reason, and the next steps to choose from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.formatting import no_photos_yet
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row


class NoQuestion(QWidget):
    """Explains why `Review` has no question."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._review: Review = session.review
        self._overview = session.overview
        self._scope = session.scope
        self.reason = label("", "soft", wrap=True)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.reason.setMargin(40)
        self.browse_button = button(self.tr("Back to the photos"), "primary")
        self.check_button = button(self.tr("Check tags"))
        self.check_button.setToolTip(self.tr("Tags and judgements that are probably wrong (Ctrl+Shift+K)"))
        self.audit_button = button(self.tr("Am I done?"))
        offers = in_row(STRETCH, self.browse_button, self.check_button, self.audit_button, STRETCH, spacing=8)
        in_column(STRETCH, self.reason, offers, STRETCH, parent=self)

    def show_state(self) -> None:
        """Show the reason, and the next steps once no question will follow."""
        review, overview = self._review, self._overview.now
        self.reason.setText(self.why())
        ended = review.search.loaded and not review.busy and not review.search.obstacle
        self.browse_button.setVisible(ended and overview.photos > 0)
        self.check_button.setVisible(ended and overview.photos > overview.untagged)
        self.audit_button.setVisible(ended and overview.photos > overview.untagged)

    def why(self) -> str:
        """Return the reason why there is no question."""
        review, overview = self._review, self._overview.now
        if review.busy or not review.search.loaded:
            return self.tr("Looking for what to ask next\N{HORIZONTAL ELLIPSIS}")
        if not overview.photos:
            return no_photos_yet()
        if review.search.obstacle:
            return review.search.obstacle
        if not self._scope.scope.whole:
            return self._why_here()
        if not overview.untagged:
            return self.tr("Every photo has a tag.")
        return self.tr("There are no more questions. Tag the rest by hand: Esc, then Ctrl+J.")

    def _why_here(self) -> str:
        """Return the reason why a limited scope has no question."""
        if not self._review.progress.photo_count:
            return self.tr("There are no photos here now.")
        if not self._review.progress.untagged_count:
            return self.tr("Every photo here has a tag.")
        return self.tr("There are no more questions here. Tag the rest by hand: Esc, then Ctrl+J.")
