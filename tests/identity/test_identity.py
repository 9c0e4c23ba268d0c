"""The server's secrets: made once, kept from others, never overwritten."""

import datetime as dt
import os
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from server.identity.certificate import operators_certificate, own_certificate
from server.identity.files import UnusableFile, read_or_make
from server.identity.identity import load_identity

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def test_the_identity_is_made_once(tmp_path: Path) -> None:
    first = load_identity(tmp_path / "data", os.urandom)
    again = load_identity(tmp_path / "data", os.urandom)

    assert first.public == again.public
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "data").iterdir()} == {0o600}


@pytest.mark.parametrize("content", [b"", b"nonsense"])
def test_a_damaged_identity_is_never_overwritten(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "identity.pem"
    path.write_bytes(content)
    path.chmod(0o600)

    with pytest.raises(UnusableFile, match="backup"):
        load_identity(tmp_path, os.urandom)

    assert path.read_bytes() == content


def test_an_identity_that_others_can_read_is_refused(tmp_path: Path) -> None:
    load_identity(tmp_path, os.urandom)
    (tmp_path / "identity.pem").chmod(0o640)

    with pytest.raises(UnusableFile, match="chmod 600"):
        load_identity(tmp_path, os.urandom)


def test_who_comes_second_reads_what_the_first_made(tmp_path: Path) -> None:
    """Two servers that start at once must end with one identity."""
    path = tmp_path / "file"

    def make() -> bytes:
        read_or_make(path, lambda: b"first")
        return b"second"

    assert read_or_make(path, make) == b"first"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_disk_that_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(UnusableFile, match="file"):
        read_or_make(tmp_path / "file" / "below", lambda: b"x")


def test_the_certificate_is_made_once_and_signs_itself(tmp_path: Path) -> None:
    """Nobody relies on the certificate, so it is valid for years and nobody has to renew it."""
    first = own_certificate(tmp_path, NOW)
    again = own_certificate(tmp_path, NOW + dt.timedelta(days=1))
    leaf = x509.load_pem_x509_certificate(first.chain_pem)

    assert first == again
    leaf.verify_directly_issued_by(leaf)
    assert leaf.not_valid_after_utc > NOW + dt.timedelta(days=3000)
    assert "PRIVATE" not in repr(first)


def test_a_deleted_certificate_is_made_anew(tmp_path: Path) -> None:
    identity = load_identity(tmp_path, os.urandom)
    first = own_certificate(tmp_path, NOW)
    (tmp_path / "certificate.pem").unlink()

    assert own_certificate(tmp_path, NOW) != first
    assert load_identity(tmp_path, os.urandom).public == identity.public


def split(tmp_path: Path, name: str) -> tuple[Path, Path]:
    """Make a certificate and split it into chain and key files, as an operator has them."""
    folder = tmp_path / name
    made = own_certificate(folder, NOW)
    leaf = x509.load_pem_x509_certificate(made.chain_pem)
    chain, key = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(made.key_pem)
    key.chmod(0o600)
    return chain, key


def test_an_operators_own_certificate_is_taken(tmp_path: Path) -> None:
    chain, key = split(tmp_path, "own")

    taken = operators_certificate(chain, key)

    assert (taken.chain_pem, taken.key_pem) == (chain.read_bytes(), key.read_bytes())


def test_a_certificate_and_a_key_of_different_pairs_are_refused(tmp_path: Path) -> None:
    """The mistake shows at the start and not at the first connection."""
    chain, _ = split(tmp_path, "one")
    _, key = split(tmp_path, "other")

    with pytest.raises(UnusableFile, match="belong together"):
        operators_certificate(chain, key)


@pytest.mark.parametrize("missing", ["chain", "key"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    chain, key = split(tmp_path, "own")
    (chain if missing == "chain" else key).unlink()

    with pytest.raises(UnusableFile, match=missing):
        operators_certificate(chain, key)


def test_what_is_no_certificate_is_refused(tmp_path: Path) -> None:
    chain, key = split(tmp_path, "own")
    chain.write_text("nonsense")

    with pytest.raises(UnusableFile, match="PEM"):
        operators_certificate(chain, key)


def test_an_identity_of_another_kind_is_refused(tmp_path: Path) -> None:
    """An identity is an Ed25519 key; a certificate's key is not."""
    _, key = split(tmp_path, "own")
    path = tmp_path / "identity.pem"
    path.write_bytes(key.read_bytes())
    path.chmod(0o600)

    with pytest.raises(UnusableFile, match="Ed25519"):
        load_identity(tmp_path, os.urandom)
