"""`manse serve --check` reports all that would keep a server from starting, and changes nothing."""

import datetime as dt
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, rsa
from cryptography.x509.oid import NameOID

from server.commands import cli
from server.identity.certificate import SOON_DAYS, own_certificate
from server.mail.settings import MailSettings
from server.process.app import DATABASE, Config, opening_of
from server.storage.schema import SCHEMA_VERSION
from server.storage.sqlite import SqliteStore
from server.storage.worker import InlineWorker
from server.upkeep.opened import call, result_of

pytestmark = pytest.mark.issue(15)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the default folder of a server, with a database."""
    monkeypatch.setenv("MANSE_HOME", str(tmp_path))
    path = tmp_path / "server"
    store = SqliteStore.open(path / DATABASE, call, start_worker=InlineWorker)
    result_of(store.close())
    return path


def check(*typed: str) -> int:
    """Run the check; return its exit status."""
    return cli.serve(["--language", "en", "--check", *typed])


def with_version(folder: Path, version: int) -> None:
    """Change the version of the database."""
    connection = apsw.Connection(str(folder / DATABASE))
    connection.pragma("user_version", version)
    connection.pragma("journal_mode", "delete")
    connection.close()


def test_where_nothing_is_wrong_nothing_is_made(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    assert check() == 0
    assert "Nothing is wrong" in capsys.readouterr().out
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("place", ["file", "command line"])
def test_a_setting_of_an_earlier_release_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    typed = ["--workers", "2"] if place == "command line" else []
    if not typed:
        (folder / "serve.toml").write_text("[server]\nworkers = 2\n")

    assert check(*typed) == 0
    told = capsys.readouterr()
    assert "server.workers does nothing any more" in told.err
    assert "Nothing is wrong" in told.out


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert check("--folder", str(tmp_path / "new")) == 0
    assert not (tmp_path / "new").exists()


def test_everything_that_is_wrong_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "identity.pem").write_text("none")
    (folder / "identity.pem").chmod(0o600)
    (folder / "certificate.pem").write_text("none")
    (folder / "certificate.pem").chmod(0o600)
    with_version(folder, SCHEMA_VERSION + 1)

    assert check("--pack", str(folder / "nowhere")) == 1
    told = capsys.readouterr()
    for part in ("identity.pem", "certificate.pem", "newer", "nowhere"):
        assert part in told.err, part
    assert "Nothing is wrong" not in told.out


def test_a_certificate_that_others_can_read_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_certificate(folder, dt.datetime.now(dt.UTC))
    (folder / "certificate.pem").chmod(0o644)

    assert check() == 1
    assert "chmod 600" in capsys.readouterr().err


def test_a_password_file_that_is_not_there_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "serve.toml").write_text(
        "[opening]\nwho = 'password'\npassword_file = 'nowhere.txt'\n"
    )

    assert check() == 1
    assert "nowhere.txt cannot be read" in capsys.readouterr().err


def test_a_database_of_an_earlier_form_is_told_and_left(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_version(folder, 1)
    before = (folder / DATABASE).read_bytes()

    assert check() == 0
    assert "earlier form" in capsys.readouterr().out
    assert (folder / DATABASE).read_bytes() == before


def test_what_is_no_database_is_told(folder: Path) -> None:
    (folder / DATABASE).write_bytes(b"SQLite, by its name alone" * 10)

    assert check() == 1


def test_a_faulty_file_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "serve.toml").write_text("[server]\nport = 'x'\n")

    assert check() == 1
    assert f"{folder / 'serve.toml'}, line 2: server.port" in capsys.readouterr().err


def test_a_database_that_nobody_may_read_is_told(folder: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (folder / DATABASE).chmod(0)

    assert check() == 1


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("days", "said"),
    [
        (-5, "is valid only from"),
        (1, None),
        (3650 - SOON_DAYS - 1, None),
        (3650 - SOON_DAYS + 1, "will be out of date after"),
        (3651, "is out of date since"),
    ],
)
def test_a_certificate_that_is_not_valid_for_long_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], days: int, said: str | None
) -> None:
    own_certificate(folder, dt.datetime.now(dt.UTC) - dt.timedelta(days=days))

    assert check() == 0
    told = capsys.readouterr()
    assert "Nothing is wrong" in told.out
    assert (told.err == "") == (said is None)
    assert said is None or (said in told.err and "certificate.pem" in told.err)


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("days", "said"), [(3640, "will be out of date"), (3651, "is out of date")]
)
def test_a_certificate_of_the_operators_own_is_named_with_its_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], days: int, said: str
) -> None:
    """A start of the server renews its own certificate, but not the operator's."""
    made = own_certificate(tmp_path, dt.datetime.now(dt.UTC) - dt.timedelta(days=days))
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    chain.write_bytes(made.chain_pem)
    key.write_bytes(made.key_pem)
    key.chmod(0o600)

    assert check("--certificate", str(chain), "--certificate-key", str(key)) == 0

    told = capsys.readouterr().err
    assert f"{chain}" in told
    assert said in told
    assert not (folder / "certificate.pem").exists()


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: rsa.generate_private_key(65537, 1024), id="short RSA"),  # noqa: S505
        pytest.param(lambda: ec.generate_private_key(ec.SECP256K1()), id="curve without TLS 1.3"),
        pytest.param(lambda: dsa.generate_private_key(2048), id="DSA key"),
    ],
)
def test_a_key_that_no_client_could_connect_with_is_a_fault(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Callable[[], Any]
) -> None:
    """OpenSSL refuses some at the start of the server, and others in each handshake."""
    key, now = make(), dt.datetime.now(dt.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "manse")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(now)
        .not_valid_after(now + dt.timedelta(days=90))
        .sign(key, hashes.SHA256())
    )
    chain, secret = tmp_path / "chain.pem", tmp_path / "key.pem"
    chain.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    forms = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, *forms))
    secret.chmod(0o600)

    assert check("--certificate", str(chain), "--certificate-key", str(secret)) == 1
    told = capsys.readouterr().err
    assert f"{chain}: TLS 1.3 cannot use this certificate" in told
    assert folder.exists()


@pytest.mark.issue(38)
def test_a_byte_order_mark_is_no_part_of_the_settings(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some editors write one."""
    (folder / "serve.toml").write_text("[server]\nport = 4471\n", "utf-8-sig")

    assert check() == 0
    assert capsys.readouterr().err == ""


@pytest.mark.issue(38)
def test_a_byte_order_mark_is_no_part_of_a_password(folder: Path) -> None:
    """Nobody could type the mark as part of a password."""
    secret = folder / "password.txt"
    secret.write_text("correct horse\n", "utf-8-sig")
    secret.chmod(0o600)
    mail = MailSettings(password_file=secret)
    opening = opening_of(Config(folder=folder, password_file=secret))

    assert mail.password() == "correct horse"
    assert opening.password == "correct horse"


@pytest.mark.issue(37)
def test_mails_that_would_name_no_address_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody can reach the server by 127.0.0.1, but it starts all the same."""
    mail = "[mail]\nhost = 'mail.example.org'\nsender = 'manse@example.org'\n"
    (folder / "serve.toml").write_text(mail)

    assert check() == 0
    assert "Mails would name 127.0.0.1" in capsys.readouterr().err
    assert check("--public-address", "play.example.org:4470") == 0
    assert "127.0.0.1" not in capsys.readouterr().err


@pytest.mark.issue(37)
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away"
)
def test_root_is_told_what_the_owner_of_the_folder_cannot_use(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Root can read everything, so nothing would seem wrong until the server starts."""
    settings, password, log = (folder / name for name in ("serve.toml", "secret", "admin.log"))
    mail = (
        "[mail]",
        'host = "mail.example.org"',
        'sender = "m@example.org"',
        'password_file = "secret"',
    )
    settings.write_text("\n".join(mail))
    password.write_text("x")
    log.touch()
    for path in (settings, password):
        path.chmod(0o600)
    assert check() == 0
    for path in (folder, *folder.glob(f"{DATABASE}*")):
        os.chown(path, 64999, 64999)
    capsys.readouterr()

    assert check() == 1
    told = capsys.readouterr().err
    for path in (settings, password, log):
        assert f"{path} belongs to another user" in told
        assert f"chown --reference {folder}/ {path}" in told
    assert DATABASE not in told

    # Everybody can read these settings; the server has to write the other two files itself.
    settings.chmod(0o644)
    for path in (password, log):
        os.chown(path, 64999, 64999)
    assert check() == 0
    os.chown(folder / DATABASE, 0, 0)
    assert check() == 1
