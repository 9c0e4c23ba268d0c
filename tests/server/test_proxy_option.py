"""`manse serve --proxy`: which proxies an operator trusts, from command line to listener."""

import io
from typing import Any, cast

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from commands.speaking import LANGUAGES
from server.commands import cli
from server.net.addresses import network_named
from server.process import serving
from server.process.app import Config

GIVEN = ["--proxy", "192.0.2.7", "--proxy", "2001:db8::/48"]
MEANT = [network_named("192.0.2.7"), network_named("2001:db8::/48")]

pytestmark = pytest.mark.issue(13)


def test_nobody_is_trusted_unless_named() -> None:
    assert cli._parser([]).parse_args([]).proxy == []


def test_addresses_and_networks_can_be_named() -> None:
    assert cli._parser(GIVEN).parse_args(GIVEN).proxy == MEANT


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("named", ["proxy.example.org", "192.0.2.7/24", "*"])
def test_what_is_no_network_is_refused_with_a_way_out(
    language: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["--language", language, "--proxy", named]

    with pytest.raises(SystemExit):
        cli._parser(typed).parse_args(typed)

    told = " ".join(capsys.readouterr().err.split())
    assert named in told
    assert "192.0.2.0/24" in told


def test_the_server_is_told_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Config] = []

    async def open_nothing(config: Config, *_: object, **__: object) -> object:
        seen.append(config)
        raise RuntimeError("there is nothing to open")

    monkeypatch.setattr(serving, "open_server", open_nothing)
    parser = cli._parser(GIVEN)
    options = parser.parse_args(GIVEN)
    chosen = serving.configured(options)
    life = serving._Life(options, chosen, io.StringIO(), parser.words, Clock())
    failed = cast("Any", Deferred.fromCoroutine(life._start()))
    failed.addErrback(lambda _: None)

    assert list(seen[0].proxies) == MEANT
