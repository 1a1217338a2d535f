"""What a person sees of metrics: why photos are near, the history, the scoreboard, how it learns.

Uses `photos`, `base`. Entry points: `why_panel`, `learning_page`.
"""
