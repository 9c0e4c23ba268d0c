"""Letters are delivered to a real mail server: plain, by STARTTLS, and by TLS, with a login."""

import os

import pytest

from tests.kit import warm

pytestmark = pytest.mark.issue(15)

SECONDS = 40
_RUN = "import runpy; runpy.run_module('tests.mail.handing_over', run_name='__main__')"


def handed(*arguments: str) -> list[str]:
    """Run a mail server and a relay in a process of their own; return its lines of output."""
    process = warm.piped(warm.COMMANDS, _RUN, *arguments, env=os.environ)
    told, complaints = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, complaints
    return told.splitlines()


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
def test_a_letter_arrives(security: str) -> None:
    assert handed(security) == [
        "login manse secret of the relay",
        "envelope manse@example.org ada@example.org",
        "subject A table waits for you",
        "sent",
    ]


def test_nothing_is_sent_where_the_relay_has_no_tls() -> None:
    assert handed("starttls", "--without-tls") == ["failed TLSRequiredError"]


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_nothing_is_sent_to_a_relay_that_nobody_trusts(security: str) -> None:
    [failed] = handed(security, "--untrusted")

    assert failed.startswith("failed ")


def test_a_relay_that_refuses_is_a_failure() -> None:
    assert handed("none", "--refusing")[-1] == "failed SMTPDeliveryError"
