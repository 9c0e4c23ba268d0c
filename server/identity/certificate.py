"""
The TLS certificate: self-signed and made on first start, or the operator's own.

Nobody checks the self-signed certificate, since the identity key proves who the server is. The
certificate may be deleted or replaced at any time; if it is missing, the next start makes another.
"""

import datetime as dt
from pathlib import Path

import attrs
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from server.identity.files import UnusableFile, read_or_make, read_secret

FILE_NAME = "certificate.pem"
"""Name of the file, which holds the key first, then the certificate."""

SOON_DAYS = 14
"""Days of remaining validity below which a certificate is overdue for renewal."""
_VALID_DAYS = 3650
_BEGIN = b"-----BEGIN CERTIFICATE-----"


@attrs.frozen
class Certificate:
    """Certificate and key for TLS."""

    key_pem: bytes = attrs.field(repr=False)
    chain_pem: bytes
    """The server's certificate and the certificates between it and its authority."""


def validity_of(certificate: Certificate) -> tuple[dt.datetime, dt.datetime]:
    """Return the first and the last moment of a certificate's validity."""
    leaf, *_ = x509.load_pem_x509_certificates(certificate.chain_pem)
    return leaf.not_valid_before_utc, leaf.not_valid_after_utc


def own_certificate(folder: Path, now: dt.datetime) -> Certificate:
    """
    Return the self-signed certificate, created if missing.

    Args:
        folder: folder of the certificate's file.
        now: the moment from which a new certificate is valid, with a time zone.

    Raises:
        UnusableFile: the file cannot be read or created, or others may read it.
    """
    pem = read_or_make(folder / FILE_NAME, lambda: _make(now))
    key, begin, chain = pem.partition(_BEGIN)
    return _checked(Certificate(key, begin + chain), folder / FILE_NAME)


def operators_certificate(chain: Path, key: Path) -> Certificate:
    """Return a certificate of the operator's own. UnusableFile: it cannot be used."""
    try:
        return _checked(Certificate(read_secret(key), chain.read_bytes()), chain)
    except OSError as error:
        told = (error.filename, error)
        raise UnusableFile(f"{error.filename}: {error.strerror}", "unreadable", *told) from error


def not_for_tls(path: Path, reason: str) -> UnusableFile:
    """Return the fault of a certificate or key that TLS 1.3 cannot use."""
    said = f"{path}: TLS 1.3 cannot use this certificate and its key ({reason})"
    return UnusableFile(said, "not_for_tls", path, reason)


def _checked(certificate: Certificate, path: Path) -> Certificate:
    try:
        # A chain begins with the server's own certificate.
        leaf, *_ = x509.load_pem_x509_certificates(certificate.chain_pem)
        key = serialization.load_pem_private_key(certificate.key_pem, password=None)
        public = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        is_same = key.public_key().public_bytes(*public) == leaf.public_key().public_bytes(*public)
    except UnsupportedAlgorithm as error:
        raise not_for_tls(path, str(error)) from error
    except (ValueError, TypeError) as error:
        raise UnusableFile(
            f"{path}: not a certificate and its key in PEM form", "certificate", path
        ) from error
    if not is_same:
        raise UnusableFile(
            f"{path}: the certificate and the key do not belong together", "pair", path
        )
    return certificate


def _make(now: dt.datetime) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "manse")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A day early, for clients whose clock is behind.
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=_VALID_DAYS))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)
