"""
Files of tests that are rewritten once for all workers.

pytest rewrites the assertions of each file, which takes longer than all else before the first test,
and keeps the result. Workers import the same files in the same order at the same time: in a new
clone, each would rewrite them all.
"""

import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewrite_share(config: pytest.Config) -> None:
    """Rewrite a worker's share of the files that are run, where no result is kept."""
    worker = getattr(config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode:
        return
    named = [config.rootpath / arg.partition("::")[0] for arg in config.args]
    files = sorted({file for path in named for file in _tests_of(path)})
    state = config.stash[rewrite.assertstate_key]
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        kept = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
        if rewrite._read_pyc(file, kept) is None and rewrite.try_makedirs(kept.parent):
            source_hash, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(state, code, source_hash, kept)


def _tests_of(path: Path) -> list[Path]:
    return list(path.rglob("test_*.py")) if path.is_dir() else [path]
