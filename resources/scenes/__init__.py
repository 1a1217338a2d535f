"""How the pictures of the demo album are drawn: scenes in three rooms, over shared paint, light and props.

`landscapes`, `animals` and `people` know `canvas`, `light`, `picture` and `props`, and not each other. What calls them,
one function a kind of scene, is `resources.demo_album`.
"""
