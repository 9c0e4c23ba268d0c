"""Zip files of strangers: good ones are read, hostile ones refused before they do harm."""

import io
import stat
import struct
import zipfile
from collections.abc import Mapping

import pytest

from content.reading.files import MAX_FILES
from content.reading.mistakes import ContentErrors
from content.reading.yaml_subset import MAX_FILE_BYTES
from server.packs import zips
from server.packs.zips import read_zip
from tests.games.second_edition.content.packs import FILES, load


def zipped(files: Mapping[str, bytes], folder: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(folder + name, data)
    return out.getvalue()


def with_entry(name: str, mode: int = 0, data: bytes = b"[]") -> bytes:
    """Return a zip with one entry whose name and mode are not sanitised."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        info = zipfile.ZipInfo("x" * len(name.encode()))
        info.external_attr = mode << 16
        packed.writestr(info, data)
    return out.getvalue().replace(b"x" * len(name.encode()), name.encode())


def refusal(data: bytes) -> str:
    with pytest.raises(ContentErrors) as caught:
        read_zip("tiny", data)
    (error,) = caught.value.errors
    return str(error)


@pytest.mark.parametrize("folder", ["", "tiny/"])
def test_a_pack_may_be_a_zip(folder: str) -> None:
    name, files = read_zip("tiny", zipped({**FILES, "README.md": b"x"}, folder))

    assert (name, load(files)) == ("tiny", load(FILES))


def test_a_pack_is_called_as_its_folder() -> None:
    """The name of the zip may have changed when it was downloaded."""
    assert read_zip("tiny (1)", zipped(FILES, "tiny/"))[0] == "tiny"


@pytest.mark.parametrize(
    "name",
    [
        "../items.yaml",
        "words/../../items.yaml",
        "/items.yaml",
        "words//items.yaml",
        "C:items.yaml",
        "words\\items.yaml",
        "./items.yaml",
        "it\x00ems.yaml",
        "it\x1bems.yaml",
        "../README.md",
    ],
)
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    assert "a name that leads out of the pack" in refusal(with_entry(name))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_a_link_is_refused(kind: int) -> None:
    data = with_entry("items.yaml", kind | 0o644, b"/etc/passwd")

    assert "a link or a special file" in refusal(data)


def test_what_unfolds_is_refused() -> None:
    """A small file that expands to a huge one is never decompressed."""
    assert "unfolds to more than" in refusal(zipped({"items.yaml": b" " * MAX_FILE_BYTES}))


def test_what_is_too_long_is_refused() -> None:
    assert "split it into several files" in refusal(zipped({"a.yaml": b" " * (MAX_FILE_BYTES + 1)}))


def test_many_files_are_refused() -> None:
    few = {f"{number}.yaml": b"[]" for number in range(MAX_FILES + 1)}
    many = {f"{number}.txt": b"" for number in range(2 * MAX_FILES + 1)}

    assert f"more than {MAX_FILES} files; join some" in refusal(zipped(few))
    assert f"more than {2 * MAX_FILES} entries" in refusal(zipped(many))


def test_deep_folders_are_refused() -> None:
    assert "folders in one another" in refusal(zipped({"a/b/c/d/e/f/g.yaml": b"[]"}))


def test_a_name_twice_is_refused() -> None:
    """
    Readers would disagree which of the two is meant.

    Names are compared without case and without the form of their accents.
    """
    assert "the same name twice" in refusal(zipped({"items.yaml": b"[]", "Items.yaml": b"[]"}))
    accents = {"words/en/\u00e9.yaml": b"{}", "words/en/e\u0301.yaml": b"{}"}
    assert "the same name twice" in refusal(zipped(accents))


def test_an_encrypted_file_is_refused() -> None:
    data = bytearray(zipped({"items.yaml": b"[]"}))
    at = data.index(b"PK\x01\x02") + 8
    data[at : at + 2] = struct.pack("<H", 1)

    assert "encrypted" in refusal(bytes(data))


def test_another_method_is_refused() -> None:
    """An unknown compression method cannot be decompressed within limits."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as packed:
        packed.writestr("items.yaml", "[]")

    assert "packed by a method" in refusal(out.getvalue())


@pytest.mark.parametrize("promised", [7, 5_000])
def test_a_size_that_is_a_lie_is_refused(promised: int) -> None:
    """A lie about the size in either direction is refused."""
    honest = zipped({"items.yaml": b"- id: item/lamp\n" * 40})
    data = bytearray(honest)
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = struct.pack("<I", promised)

    assert refusal(bytes(data)).startswith("tiny:1:1: cannot be read as a zip")


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x05\x06" + b"\xff" * 18, b"x" * 1000])
def test_what_is_no_zip_is_refused(data: bytes) -> None:
    assert "cannot be read as a zip" in refusal(data)


def test_a_broken_zip_is_refused() -> None:
    good = zipped(FILES)

    assert refusal(good[: len(good) // 2])
    changed = bytearray(good)
    changed[60:90] = b"\xff" * 30
    assert refusal(bytes(changed))


def test_a_long_zip_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "MAX_ZIP_BYTES", 10)

    assert "longer than 10 bytes" in refusal(zipped(FILES))


def test_a_zip_without_a_pack_is_refused() -> None:
    assert "no pack is here" in refusal(zipped({"README.md": b"x"}))


@pytest.mark.issue(38)
def test_a_zip_is_judged_as_its_folder_is() -> None:
    beside = {"map.png": b"x" * (MAX_FILE_BYTES + 1), "tests/a.yaml": b"x" * (MAX_FILE_BYTES + 1)}

    assert read_zip("tiny", zipped({**FILES, **beside})) == ("tiny", FILES)
    rooted = {f"tiny/{name}": data for name, data in {**FILES, **beside}.items()}
    assert read_zip("other", zipped(rooted)) == ("tiny", FILES)
