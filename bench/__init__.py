"""
Benchmarks: how much our own work costs beside the plain work that it is built on.

`make bench`. Each measure is a ratio of two times taken in turns in the same process, so that it
says something about the code and little about the machine. Nothing here is a test: there is no
limit that a slow day could break.
"""
