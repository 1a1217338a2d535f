# SPDX-License-Identifier: MIT
"""Commands that tag, rate and judge photos, suggest tags, accept or reject these, and audit tags."""
