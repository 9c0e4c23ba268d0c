"""What a run of the tests says at its end."""

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many pairs of twin games were compared (`tests.twins`)."""
    reports = [one for name in ("passed", "failed") for one in terminalreporter.getreports(name)]
    counted = [dict(report.user_properties).get("twin_pairs", 0) for report in reports]
    if sum(counted):
        terminalreporter.write_line(f"{sum(counted)} pairs of twin games were compared")
