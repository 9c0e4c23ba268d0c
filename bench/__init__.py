"""
Benchmarks: how much our own work costs beside the plain work that it is built on.

`make bench`. Each measure is a ratio of two times taken in turns in the same process, so that it
says something about the code and little about the machine. What a person waits for, the frames of
the full-screen client, is told in milliseconds of CPU time as well: median and 99th percentile.
Nothing here is a test: there is no limit that a slow day could break.
"""
