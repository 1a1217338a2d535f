# SPDX-License-Identifier: MIT
"""The questions of Review, with one class per subject; `models.review.review.Review` combines them.

- `QuestionSearch` computes the questions.
- `CurrentQuestion` is the shown question, `TileAnswers` the unsaved answers to its photos.
- `AnswerSaver` saves answers and follows undo and redo.
- `ReviewRecord` is what the user has answered or left open since Review was opened.
- `ReviewProgress` measures pace and gain.
"""
