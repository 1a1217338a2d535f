# SPDX-License-Identifier: MIT
"""Long background jobs: indexing, training, suggesting, and finding neighbourhoods.

Entry point: `BackgroundJobs`.
"""
