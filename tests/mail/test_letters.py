"""What a mail says; names of strangers cannot change its headers."""

import email
import email.policy
from typing import Any

import pytest

from protocol.common.table import Stage
from server.lobby.rooms.summary import Summary
from server.mail.letters import Writer
from tests.kit.hostile import hostile_words
from tests.mail.office import ADDRESS, WRITER

pytestmark = pytest.mark.issue(15)

NOW = 1_700_000_000_000
HEADERS = {
    *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version"),
    *("Content-Type", "Content-Transfer-Encoding"),
}


def table(*names: str) -> Summary:
    """Return a table with these people."""
    keys = tuple(bytes([at]) * 32 for at in range(len(names)))
    return Summary("room-id", "core/secret-scenario", Stage.PLAYING, names, keys, (0,), 0, NOW)


def read(letter: Any) -> Any:
    """Parse a letter as a mail program does."""
    return email.message_from_bytes(letter.as_bytes(), policy=email.policy.default)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_mail_says_which_table_waits_and_how_to_end_mails(language: str) -> None:
    letter = read(WRITER.awaited(ADDRESS, language, [table("Ada", "Ben")], "stopcode", NOW, "id"))

    body = letter.get_content()
    assert "Ada, Ben" in body
    assert "manse play --server play.example.org:4470" in body
    assert "--fingerprint finger-print --stop-mail stopcode" in body
    assert "secret-scenario" not in body
    assert "room-id" not in body


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_code_comes_with_the_command_that_takes_it(language: str) -> None:
    letter = read(WRITER.code(ADDRESS, language, "01234567", NOW, "id"))

    assert "manse notify --server play.example.org:4470 --code 01234567" in letter.get_content()


def test_names_of_strangers_stay_in_the_body() -> None:
    usual = read(WRITER.awaited(ADDRESS, "en", [table("Ada")], "stop", NOW, "id"))
    for text in hostile_words(300):
        names = (text, f"x\r\nBcc: eve@example.org\r\n\r\n{text}")
        writer = Writer("manse@example.org", text, "play.example.org", "finger")
        letter = read(writer.awaited(ADDRESS, "en", [table(*names)], "stop", NOW, "id"))

        assert set(letter.keys()) == HEADERS
        assert len(letter.keys()) == len(HEADERS)
        for name in ("From", "To", "Subject", "Auto-Submitted"):
            assert letter[name] == usual[name]
        assert not letter.defects
