"""What holds for every run of the tests, and what it says at its end."""

from typing import Any

from protocol import sealing
from tests.sealing import read_back


def pytest_configure() -> None:
    """Read every record back that is sealed in this process, so that a wrong type is found."""
    sealing.after_seal = read_back


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many pairs of twin games were compared (`tests.twins`)."""
    reports = [one for name in ("passed", "failed") for one in terminalreporter.getreports(name)]
    counted = [dict(report.user_properties).get("twin_pairs", 0) for report in reports]
    if sum(counted):
        terminalreporter.write_line(f"{sum(counted)} pairs of twin games were compared")
