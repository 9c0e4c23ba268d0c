"""
Benchmarks that compare our work with the same work by the plain libraries that we use.

`make bench` runs them; docs/performance.md explains the results. Each of our figures is compared
with plain Twisted, SQLite, msgpack or prompt-toolkit, never with our own code. Both sides take
turns, so that other load of the machine affects both. The benchmarks are no tests and have no
limits that a slow day could exceed. `tests/project/test_costs.py` limits the counted costs
(`bench.counts`).
"""
