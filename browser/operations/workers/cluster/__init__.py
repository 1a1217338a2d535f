"""Work that others hand out: `cluster` for calls of any function on a Dask cluster, `dask_executor` and `joblib_executor`
for photos that are described there, or by a back end of joblib.

Imported only where one is asked for: Dask is an extra, and both are slow to load.
"""
