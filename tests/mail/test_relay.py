"""A letter is handed over to a real mail server: plain, by STARTTLS, and by TLS, with a login."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.issue(15)

SECONDS = 40


def handed(*arguments: str) -> list[str]:
    """Run a mail server and a relay in a process of their own; return what they tell."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.mail.handing_over", *arguments],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
def test_a_letter_arrives(security: str) -> None:
    """With the sender and the address of its envelope, after a login."""
    assert handed(security) == [
        "login manse secret of the relay",
        "envelope manse@example.org ada@example.org",
        "subject A table waits for you",
        "sent",
    ]


def test_nothing_is_sent_where_the_relay_has_no_tls() -> None:
    """Neither the password nor the letter."""
    assert handed("starttls", "--without-tls") == ["failed TLSRequiredError"]


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_nothing_is_sent_to_a_relay_that_nobody_trusts(security: str) -> None:
    """Its certificate is not one of this machine's."""
    [failed] = handed(security, "--untrusted")

    assert failed.startswith("failed ")


def test_a_relay_that_refuses_is_a_failure() -> None:
    """Whoever waits is told in time, and nothing of the address."""
    assert handed("none", "--refusing")[-1] == "failed SMTPDeliveryError"
