"""`manse verify` tells which sealed secrets were opened later, for any game."""

import json
from pathlib import Path

import pytest

from client.commands.verify import main
from protocol.archive import load
from tests.games.every import an_evening

pytestmark = pytest.mark.issue(40)


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    evening = an_evening("first_edition")
    path = tmp_path / "evening.manse"
    path.write_bytes(evening.export(evening.ann))
    return path


def test_each_secret_that_was_opened_has_the_event_that_sealed_it(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--json", str(file)]) == 0

    records = load(file.read_bytes()).records
    opened = json.loads(capsys.readouterr().out)["opened"]
    (goal,) = [one for one in opened if one["kind"] == "fe/objective_revealed"]
    assert goal["sealed_in"] == "fe/objective_set"
    assert goal["sealed_at"] < goal["event"]
    assert records[goal["event"]].event.objective == goal["value"]
    kinds = {(one["sealed_in"], one["kind"]) for one in opened}
    assert ("fe/event_laid", "fe/event_resolved") in kinds


def test_the_list_is_printed_where_it_is_asked_for(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(file)]) == 0
    short = capsys.readouterr().out
    assert main(["--opened", str(file)]) == 0
    long = capsys.readouterr().out

    assert "secrets were sealed in one event and opened in a later one" in short
    assert "fe/objective_set" not in short
    assert "fe/objective_set" in long


def test_secrets_that_nobody_was_shown_have_the_event_that_sealed_them(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answers of the keeper, and each card that nobody found."""
    assert main(["--json", str(file)]) == 0

    records = load(file.read_bytes()).records
    told = json.loads(capsys.readouterr().out)
    laid = [at for at, one in enumerate(records) if one.event.tag == "fe/card_laid"]
    both = [one["sealed_at"] for part in ("opened", "unshown") for one in told[part]]
    (answers,) = [one for one in told["unshown"] if one["sealed_in"] == "fe/answers_given"]
    assert "in-the-" in answers["value"]
    assert sorted(at for at in both if at in laid) == laid
    assert main(["--opened", str(file)]) == 0
    assert "fe/answers_given" in capsys.readouterr().out
