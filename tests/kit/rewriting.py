"""
What is worked out of source files once for all workers.

pytest rewrites the assertions of each file of tests, Python compiles all others, and hypothesis
looks for constants in what is no test. That takes longer than all else before the first test, and
the results are kept. Workers import the same files in the same order at the same time: in a new
clone, each would do all of it.
"""

import compileall
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from _pytest.assertion import rewrite
from hypothesis.internal.constants_ast import constants_from_module

CODE: Final = ("commands", "protocol", "content", "server", "client")


def prepare_share(config: pytest.Config) -> None:
    """Do a worker's share for the files that are run, where no result is kept.

    All of our code is looked at only where all tests are run.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode:
        return
    share = slice(int(worker["workerid"].removeprefix("gw")), None, worker["workercount"])
    named = [config.rootpath / arg.partition("::")[0] for arg in config.args]
    if config.rootpath / "tests" in named:
        ours = sorted(file for top in CODE for file in (config.rootpath / top).rglob("*.py"))
        for file in ours[share]:
            compileall.compile_file(file, quiet=2)
            module = ModuleType(file.stem)
            module.__file__ = str(file)
            constants_from_module(module)
    files = sorted({file for path in named for file in _tests_of(path)})
    state = config.stash[rewrite.assertstate_key]
    for file in files[share]:
        kept = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
        if rewrite._read_pyc(file, kept) is None and rewrite.try_makedirs(kept.parent):
            source_hash, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(state, code, source_hash, kept)


def _tests_of(path: Path) -> list[Path]:
    return list(path.rglob("test_*.py")) if path.is_dir() else [path]
