"""A certificate authority for the fictitious hosts, created in memory at every start and valid for no other host.

The library is imported at the first handshake, not at the start: it takes 0.1 s, and https is rarely used.
"""

import ssl
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from chimein_gui.sandbox.timekeeping import wall_clock

_DAY = timedelta(days=1)
_UNUSED = (
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "encipher_only",
    "decipher_only",
)
_LIFETIME = 365 * _DAY


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """The certificates of an https server.

    Attributes:
        authority_pem: The certificate that a client must trust.
        chain_pem: The hosts' certificate and its private key.
    """

    authority_pem: str
    chain_pem: bytes


class Certificates:
    """Creates the certificates when they are first needed.

    Args:
        hosts: Names that the certificate is valid for.
    """

    def __init__(self, hosts: Iterable[str]) -> None:
        self._hosts = tuple(hosts)
        self._papers: CertificateFiles | None = None
        self._equipped: ssl.SSLContext | None = None

    def authority_pem(self) -> str:
        """Return the certificate that a client must trust for the fictitious hosts, and only for these."""
        return self._made().authority_pem

    def server_context(self) -> ssl.SSLContext:
        """Return a TLS context that gets its certificate at the first handshake."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.sni_callback = self._equip
        return context

    def _equip(self, connection: ssl.SSLObject | ssl.SSLSocket, _name: str | None, _first: ssl.SSLContext) -> None:
        if self._equipped is None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            with tempfile.TemporaryDirectory(prefix="chimein-web-") as folder:
                path = Path(folder, "chain.pem")  # ssl reads certificates from files only
                path.touch(mode=0o600)
                path.write_bytes(self._made().chain_pem)
                context.load_cert_chain(path)
            self._equipped = context
        connection.context = self._equipped

    def _made(self) -> CertificateFiles:
        if self._papers is None:
            self._papers = make_papers(self._hosts, datetime.fromtimestamp(wall_clock(), UTC))
        return self._papers


def make_papers(hosts: Iterable[str], now: datetime) -> CertificateFiles:
    """Create an authority and one certificate for all hosts, valid for a year from yesterday."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    def named(words: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, words)])

    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority_name = named("Chimein sandbox, made-up hosts")

    def begun(subject: x509.Name, public_key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        builder = x509.CertificateBuilder(authority_name, subject, public_key, x509.random_serial_number())
        return builder.not_valid_before(now - _DAY).not_valid_after(now + _LIFETIME)

    def usage(*, signs: bool) -> x509.KeyUsage:
        never = dict.fromkeys(_UNUSED, False)
        return x509.KeyUsage(digital_signature=not signs, key_cert_sign=signs, crl_sign=signs, **never)

    identifier = x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key())
    authority = (
        begun(authority_name, authority_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage(signs=True), critical=True)
        .add_extension(identifier, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    issued_by = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
    certificate = (
        begun(named("made-up hosts"), key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), critical=False)
        .add_extension(usage(signs=False), critical=True)
        .add_extension(issued_by, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    key_pem = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return CertificateFiles(authority.public_bytes(pem).decode(), certificate.public_bytes(pem) + key_pem)
