"""A descriptor, a learner and a file format for Focal."""
