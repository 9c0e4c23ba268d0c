"""
The toy: a small game that is found as every game is, and is pushed through every layer.

Its rules are those that the kernel's tests play (`tests.kit.tables.toy`). This folder holds what a
game brings to each layer, and the tests of what each layer makes of it.
"""
