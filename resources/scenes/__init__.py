# SPDX-License-Identifier: MIT
"""Drawing of the demo album: three packages of scenes, which share paint, light and props.

`landscapes`, `animals` and `people` use `canvas`, `light`, `picture` and `props`, but not each other.
`resources.demo_album` calls one function per kind of scene.
"""
