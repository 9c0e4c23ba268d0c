"""Untrusted packs are read in a child process; if it dies, nothing else does."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from content.language.calls import MAX_NESTED_STEPS
from content.reading.mistakes import ContentErrors
from content.reading.remarks import Remark
from content.reading.yaml_subset import MAX_DEPTH, MAX_FILE_BYTES
from server.packs import judge, sandbox
from tests.games.second_edition.authoring.test_zips import zipped
from tests.games.second_edition.content.packs import FILES, TINY, edited, mistakes_in


def laughs(depth: int = 30) -> bytes:
    """Return a YAML file whose aliases would expand exponentially."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, depth)]
    return "\n".join(lines).encode()


IDS = 4_000
"""Number of mistakes in a file; `make test-long` uses four times as many."""

HOSTILE = {
    "laughs": laughs(),
    "deep lists": b"[" * 500_000,
    "deep mappings": b"{a: " * 200_000,
    "deep blocks": b"\n".join(b" " * n + b"-" for n in range(1_000)),
    "huge scalar": b"- id: " + b"x" * (MAX_FILE_BYTES - 100),
    "huge number": b"- {id: item/a, deck: common, copies: " + b"9" * 500_000 + b"}",
    "huge key": b"x" * 900_000 + b": 1",
    "many keys": b"\n".join(b"k%d: 1" % n for n in range(90_000)),
    "many ids": b"\n".join(b"- {id: item/x%d, deck: comon}" % n for n in range(IDS)),
    "nul": b"- id: item/\x00\n",
    "utf-16": "- id: item/lamp".encode("utf-16"),
    "utf-32": "- id: item/lamp".encode("utf-32"),
    "latin-1": "- id: item/lampé".encode("latin-1"),
    "surrogate": b"- id: item/\xed\xa0\x80\n",
    "python tag": b"!!python/object/apply:os.system ['true']",
    "endless quote": b'- id: "' + b"\\x41" * 200_000,
    "directives": b"%TAG ! tag:x,2000:\n" * 40_000,
}


def files_with(data: bytes) -> dict[str, bytes]:
    """Return the tiny pack with one more file."""
    return {**FILES, "items/hostile.yaml": data}


@pytest.mark.usefixtures("warm_judge")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_a_mistake(name: str) -> None:
    remarks = sandbox.in_child("folder", "tiny", judge.packed(files_with(HOSTILE[name])))

    assert remarks
    assert {remark.file for remark in remarks} == {"items/hostile.yaml"}
    assert not any("takes" in remark.reason for remark in remarks)


@pytest.mark.long
def test_a_file_of_many_mistakes_is_read_in_time() -> None:
    lines = [b"- {id: item/x%d, deck: comon}" % n for n in range(4 * IDS)]

    remarks = sandbox.in_child("folder", "tiny", judge.packed(files_with(b"\n".join(lines))))

    assert len(remarks) >= len(lines)
    assert {remark.file for remark in remarks} == {"items/hostile.yaml"}


def test_nesting_below_the_bound_is_read() -> None:
    data = b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1)

    assert all(
        "nested deeper" not in r.reason
        for r in judge.judge("folder", "tiny", judge.packed(files_with(data)))
    )


def test_the_child_says_what_the_loader_says() -> None:
    files = edited("scenarios/cellar.yaml", "difficulty: 1", "difficulty: 9")
    place = ("scenarios/cellar.yaml", 3, 13, "difficulty")
    expected = (Remark(*place, "9 is out of bounds; 1 to 5 is allowed"),)

    assert sandbox.in_child("folder", "tiny", judge.packed(files)) == expected
    assert sandbox.in_child("zip", "tiny", zipped(files)) == expected


@pytest.mark.usefixtures("warm_judge")
def test_a_folder_is_judged_by_its_name() -> None:
    assert sandbox.remarks_on(str(TINY)) == ()


@pytest.mark.usefixtures("warm_judge")
def test_a_zip_is_judged(tmp_path: Path) -> None:
    good, bad = tmp_path / "tiny.zip", tmp_path / "bad.zip"
    good.write_bytes(zipped(FILES))
    bad.write_bytes(b"PK")

    assert sandbox.remarks_on(str(good)) == ()
    assert "cannot be read as a zip" in sandbox.remarks_on(str(bad))[0].reason
    assert "cannot be read: No such file" in sandbox.remarks_on(f"{bad}.zip")[0].reason


@pytest.mark.usefixtures("warm_judge")
@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_what_is_loaded_is_what_was_judged(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pack is changed while the child judges it; the version that was judged is used."""
    path = tmp_path / ("tiny.zip" if kind == "zip" else "tiny")
    honest = sandbox.in_child

    def change_meanwhile(*handed: Any) -> tuple[Remark, ...]:
        _put(path, {**FILES, "pack.yaml": b"never judged"})
        return honest(*handed)

    _put(path, FILES)
    monkeypatch.setattr(sandbox, "in_child", change_meanwhile)

    found = sandbox.judged(str(path))

    assert (found.pack_id, dict(found.files)) == ("tiny", FILES)


def _put(path: Path, files: Mapping[str, bytes]) -> None:
    if path.suffix:
        path.write_bytes(zipped(files))
        return
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)


@pytest.mark.usefixtures("warm_judge")
def test_a_link_in_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words").symlink_to(tmp_path)

    (remark,) = sandbox.remarks_on(str(tmp_path))

    assert "a symbolic link" in remark.reason


@pytest.mark.usefixtures("warm_judge")
def test_a_file_name_of_any_bytes_is_told(tmp_path: Path) -> None:
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.yaml"))).write_text("[]")

    (remark, *_) = sandbox.remarks_on(str(tmp_path))

    assert remark.file == "\\udcff\\udcfe.yaml"
    assert str(remark).isprintable()


def test_a_child_that_takes_too_much_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child takes as much memory at once as its limit allows in total.

    A smaller amount in the test would not do: a small pack may fit into memory the child already
    holds.
    """
    greedy = "import server.packs.judge as j; j.judge = lambda *_: bytearray(j.MEMORY_BYTES);"
    monkeypatch.setattr(sandbox, "JUDGE", f"{greedy} {sandbox.JUDGE}")

    (remark,) = sandbox.remarks_on(str(TINY))

    assert "takes more than 30 seconds or 1024 MiB to read; make it smaller" in remark.reason


def test_a_child_that_takes_too_long_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 0.01)

    (remark,) = sandbox.remarks_on(str(TINY))

    assert "to read; make it smaller" in remark.reason


@pytest.mark.parametrize("name", ["tiny.zip", "tiny/items/pipe.yaml"])
@pytest.mark.timeout(20)
def test_a_pipe_is_refused_at_once(tmp_path: Path, name: str) -> None:
    _put(tmp_path / "tiny", FILES)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / name)

    (remark,) = sandbox.remarks_on(str(tmp_path / name.partition("/")[0]))

    assert remark.reason == "cannot be read: a pipe or a device, not a file"


CALLS = 9_000


@pytest.mark.usefixtures("warm_judge")
@pytest.mark.timeout(30)
@pytest.mark.parametrize("is_circle", [True, False])
def test_effects_that_call_one_another_too_deep_are_refused(*, is_circle: bool) -> None:
    """Deep calls must be rejected in linear time, before the stack of the rules overflows."""
    last = "- call: e0" if is_circle else "- suffer: {damage: 1}"
    calls = "".join(f"  e{n}:\n    - call: e{n + 1}\n" for n in range(CALLS))
    text = f"effects:\n{calls}  e{CALLS}:\n    {last}\n"
    files = edited("scenarios/cellar.yaml", "effects:\n", text)

    remarks = sandbox.in_child("folder", "tiny", judge.packed(files))

    (reason,) = (remark.reason for remark in remarks)
    told = "calls itself without end: e0 → e1" if is_circle else "more than 100 deep in one another"
    assert told in reason


@pytest.mark.parametrize(
    ("calls", "is_good"), [(MAX_NESTED_STEPS - 1, True), (MAX_NESTED_STEPS, False)]
)
def test_steps_nest_as_deep_as_is_allowed(calls: int, *, is_good: bool) -> None:
    text = "".join(f"  e{n}:\n    - call: e{n + 1}\n" for n in range(calls))
    files = edited(
        "scenarios/cellar.yaml",
        "effects:\n",
        f"effects:\n{text}  e{calls}:\n    - suffer: {{damage: 1}}\n",
    )

    assert (mistakes_in(files) == ()) is is_good


@pytest.mark.issue(36)
@pytest.mark.parametrize("ask", [sandbox.gaps_of, sandbox.draft, sandbox.judged])
def test_a_zip_that_kills_the_child_is_opened_by_nobody_else(
    ask: Callable[[str], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    path = tmp_path / "tiny.zip"
    path.write_bytes(zipped(FILES))
    monkeypatch.setattr(sandbox, "from_zip", lambda name, _data: opened.append(name))
    greedy = "import server.packs.judge as j; j.files_in = lambda *_: bytearray(j.MEMORY_BYTES);"
    monkeypatch.setattr(sandbox, "JUDGE", f"{greedy} {sandbox.JUDGE}")

    with pytest.raises(ContentErrors, match="takes more than"):
        ask(str(path))

    assert opened == []


@pytest.mark.issue(36)
@pytest.mark.usefixtures("warm_judge")
def test_the_gaps_of_a_zip_are_found_after_its_child_has_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    asked, opened = sandbox._asked, sandbox._files_of

    def noted_asked(*given: Any) -> Any:
        order.append("child")
        return asked(*given)

    def noted_opened(raw: sandbox.RawPack) -> Any:
        order.append("here")
        return opened(raw)

    monkeypatch.setattr(sandbox, "_asked", noted_asked)
    monkeypatch.setattr(sandbox, "_files_of", noted_opened)
    path = tmp_path / "tiny.zip"
    path.write_bytes(zipped({**FILES, "words/en/words.yaml": b"{}"}))

    files, gaps = sandbox.gaps_of(str(path))

    assert gaps
    assert files.files["words/en/words.yaml"] == b"{}"
    assert order == ["child", "here"]
