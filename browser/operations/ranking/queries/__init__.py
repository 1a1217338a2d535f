"""What photos are ranked by beside one photo: examples, a text, what was judged; and how each ranks.

Uses `galleries`. Inside: `by_text` > `by_judgements`, `by_examples` > `query`.
"""
