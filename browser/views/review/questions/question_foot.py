# SPDX-License-Identifier: MIT
"""The foot of a question: the buttons that answer it, and the accuracy of suggestions."""

from __future__ import annotations

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import HintLabel, label
from focal_photos.browser.views.base.layouts import in_row
from focal_photos.browser.views.base.modes import PageBar


class QuestionFoot(PageBar):
    """The row below the grid; it shows the effect of Enter."""

    def __init__(self, review: Review) -> None:
        super().__init__()
        self._review = review
        self.accept_button = button("", "primary")
        self.accept_button.setToolTip(
            self.tr("Enter, or end with a middle-button or Ctrl click or drag, which also saves the answers")
        )
        self.skip_button = button(self.tr("Leave open"))
        self.skip_button.setToolTip(self.tr("Save the flipped photos, leave the rest open (Tab)"))
        self.why_button = button(self.tr("Why?"))
        self.why_button.setToolTip(self.tr("Similar photos with the tag suggested for the current photo (hold W)"))
        self.hint = HintLabel()
        self.gain = label("", "soft")
        row = in_row(
            self.accept_button, self.skip_button, self.why_button, margins=(12, 7, 16, 7), spacing=8, parent=self
        )
        row.addSpacing(8)
        row.addWidget(self.hint, 1)
        row.addWidget(self.gain)

    def show_answers(self) -> None:
        """Show the number of answers that Enter saves."""
        review = self._review
        answers, question = review.answers, review.question
        yes, no = len(answers.yes), len(answers.no)
        text = self.tr("Yes to {0}").format(yes) + (self.tr(", no to {0}").format(no) if no else "")
        if question is not None and question.tag is None:
            text = self.tr("Name {0}").format(yes)
        self.accept_button.setText(text + "  \N{RETURN SYMBOL}")
        self.accept_button.setEnabled(question is not None and review.writable and not review.busy)
        self.skip_button.setEnabled(question is not None and not review.busy)
        self.accept_button.setVisible(question is not None)
        self.skip_button.setVisible(question is not None)
        self.why_button.setVisible(question is not None and question.tag is not None)

    def show_state(self) -> None:
        """Show the hint, and the accuracy of suggestions before and after the last training."""
        asked = self._review.question is not None
        self.hint.setText(self.tr("Click or Space flips, a drag flips all that it touches") if asked else "")
        held = self._review.progress.gained
        self.gain.setVisible(held is not None)
        if held is not None:
            self.gain.setText(self.tr("Suggestion accuracy {0:.0f} %").format(100 * held.after))
            figures = self.tr(
                "Measured on {0} tagged photos, each predicted without its own tags: {1:.0f} % before the last "
                "training, {2:.0f} % after it"
            )
            self.gain.setToolTip(tool_tip(figures.format(held.photos, 100 * held.before, 100 * held.after)))
