"""The row about memory: what each further table takes while it is played."""

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Final

import attrs

from bench.crowd import CrowdPlan
from bench.rows import Row

NAMES: Final = ("table_kib",)
CROWD_SECONDS: Final = 600.0
"""Seconds after which the crowd counts as hung."""


def rows(plan: CrowdPlan) -> Iterable[Row]:
    options = [f"--{name}={value}" for name, value in attrs.asdict(plan).items()]
    ran = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "-m", "bench.crowd", *options],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=CROWD_SECONDS,
    )
    what = f"memory of a table of four after {plan.events} events, its connections included"
    yield Row("table_kib", json.loads(ran.stdout)["table"], "KiB", what)
