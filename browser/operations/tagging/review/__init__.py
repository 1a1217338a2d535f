# SPDX-License-Identifier: MIT
"""Questions of the review: by tag, about new kinds, photo by photo, and the most informative photos.

Uses `annotated`, `learn_tags`, `neighborhoods` and `supporters` beside it. Inside: `photo_by_photo` > `review` >
`new_kinds`, `side_by_side`; `ask_next`; all use `question_scope`.
Entry points: `review` in `review`, `ask_next` in `ask_next`, `proposed_names`.
"""
