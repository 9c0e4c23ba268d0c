"""Toy: a small game that is found like any installed game and exercises every layer.

Its rules are those that the tests of the kernel use (`tests.kit.tables.toy`). This folder holds
what the game contributes to each layer, and tests of each layer with it.
"""
