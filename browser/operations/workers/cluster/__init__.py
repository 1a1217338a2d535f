# SPDX-License-Identifier: MIT
"""Distributed work: `cluster` calls any function on a Dask cluster, `dask_executor` describes photos there.

`joblib_executor` describes photos with a back end of joblib. All are imported only when needed: Dask is an optional
dependency, and both are slow to load.
"""
