"""What `fit` is given: samples, and what is known of them in the forms that scripts have it in.

Entry points: `as_samples` in `samples`, `given` in `targets`.
"""
