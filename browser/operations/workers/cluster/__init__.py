"""Work that others hand out: `cluster` for calls of any function on a Dask cluster, `dask_executor` for photos there.

`joblib_executor` describes photos with a back end of joblib. All are imported only where one is asked for: Dask is an
extra, and both are slow to load.
"""
