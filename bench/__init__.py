"""
Benchmarks: what we do beside the same of the plain libraries that it is built on.

`make bench`; docs/performance.md says how to read it. Beside ours stands plain Twisted, SQLite,
msgpack or prompt-toolkit, never work of our own, and the two take turns, so that whatever else the
machine does strikes both. Nothing here is a test: there is no limit that a slow day could break.
What is counted (`bench.counts`) is held by `tests/project/test_costs.py`.
"""
