# SPDX-License-Identifier: MIT
"""SQL statement for photos that are only in removed folders, or were forgotten."""

from __future__ import annotations

REMOVED = (
    "SELECT photo_id FROM root CROSS JOIN file AS gone ON root_id = root.id WHERE removed AND photo_id IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM file JOIN root ON root.id = root_id WHERE photo_id = gone.photo_id AND NOT removed) "
    "UNION ALL SELECT photo_id FROM root CROSS JOIN former_place ON root_id = root.id WHERE removed "
    "UNION ALL SELECT photo_id FROM forgotten WHERE NOT EXISTS "
    "(SELECT 1 FROM file WHERE file.photo_id = forgotten.photo_id AND state = 'present')"
)
"""Selects the ids of the photos that match `Removed`; fast if no folder was removed and no photo forgotten."""
