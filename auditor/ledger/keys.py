"""Keys that sign checkpoints of the ledger (Ed25519): made, read, used.

The private key is a PEM file (PKCS #8) that its owner alone may read, the public one a PEM file
(SubjectPublicKeyInfo), as other programs read and write them. Neither is in the store: whoever can rewrite the ledger
must not be able to sign it.
"""

import base64
import binascii
import hashlib
import os
import re
import stat
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from auditor.core.errors import AlreadyExists, BadFile, BadInput, Refused
from auditor.core.staging import check_destination, delivering, publish, staging_folder
from auditor.ledger.checkpoint import Checkpoint, SignedCheckpoint, read_beginning
from auditor.ledger.verification import LedgerReport

_LARGEST_FILE = 1 << 16
_PRIVATE, _PUBLIC = 0o600, 0o644
_PEM = re.compile(rb"\s*-----BEGIN [A-Z0-9 ]+-----(?:(?!-----).)*-----END [A-Z0-9 ]+-----\s*", re.DOTALL)


def public_path(path: Path) -> Path:
    """Return where the public key of a private one goes.

    Examples
    --------
    >>> public_path(Path("audit.key")).name
    'audit.key.pub'
    """
    return path.with_name(f"{path.name}.pub")


def key_id(key: Ed25519PublicKey) -> str:
    """Return the SHA-256 of a public key, which names it in checkpoints."""
    return hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()


def create_key(path: Path) -> str:
    """Make a key pair, the private key at `path`, the public one beside it, and return the id of the key.

    Raises
    ------
    AlreadyExists, BadInput, NotFound
        If a file cannot be there, or is there: a key is never overwritten.
    NotDelivered
        If the file system refuses; then there is neither.
    """
    public = public_path(path)
    for file in (path, public):
        if os.path.lexists(file) and not file.is_dir():
            raise AlreadyExists(f"{file} exists already, and a key is never overwritten; choose another name")
        check_destination(file)
    key = Ed25519PrivateKey.generate()
    contents = {
        public: (_PUBLIC, key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)),
        path: (_PRIVATE, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())),
    }
    with staging_folder(path) as folder:
        for file, (mode, content) in contents.items():
            with delivering(file):
                handle = os.open(folder / file.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
                with os.fdopen(handle, "wb") as stream:
                    stream.write(content)
                    stream.flush()
                    os.fsync(stream.fileno())
        publish([folder / file.name for file in contents], path.parent, force=False)
    return key_id(key.public_key())


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Return the key in a file.

    Raises
    ------
    BadFile
        If the file cannot be read, or holds no private Ed25519 key, or one with a password.
    BadInput
        If others than its owner may read it.
    """
    key = parse_private_key(read_beginning(path, _LARGEST_FILE + 1), str(path))
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise BadInput(f"others may read the private key {path}; 'chmod 600' it, or make a new one")
    return key


def parse_private_key(content: bytes, origin: str) -> Ed25519PrivateKey:
    """Return the key that a PEM text holds.

    Parameters
    ----------
    content : bytes
    origin : str
        Where it came from, for messages.

    Raises
    ------
    BadFile
        If it is no private Ed25519 key, or one with a password.
    """
    try:
        key = _loaded(content, origin, partial(load_pem_private_key, password=None))
    except TypeError:
        raise BadFile(f"{origin} holds a key with a password; decrypt it, or make a key without one") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadFile(f"{origin} holds no private Ed25519 key; 'auditor ledger create-key' makes one")
    return key


def read_public_keys(paths: list[Path]) -> dict[str, Ed25519PublicKey]:
    """Return the public keys in files by their ids.

    Raises
    ------
    BadFile
        If a file cannot be read or holds no public Ed25519 key.
    """
    keys = {}
    for path in paths:
        key = _loaded(read_beginning(path, _LARGEST_FILE + 1), str(path), load_pem_public_key)
        if not isinstance(key, Ed25519PublicKey):
            raise BadFile(f"{path} holds no public Ed25519 key (the file that ends in .pub does)")
        keys[key_id(key)] = key
    return keys


def sign_report(report: LedgerReport, key: Ed25519PrivateKey, *, at: str) -> SignedCheckpoint:
    """Return a signed checkpoint of a ledger that was verified.

    Raises
    ------
    Refused
        If the ledger is not intact.
    BadInput
        If it has no entries.
    """
    checkpoint = Checkpoint.of(report, at=at, key=key_id(key.public_key()))
    signature = key.sign(checkpoint.text().encode())
    return SignedCheckpoint(checkpoint, base64.b64encode(signature).decode("ascii"))


def check_signature(signed: SignedCheckpoint, keys: Mapping[str, Ed25519PublicKey]) -> None:
    """Refuse a checkpoint that none of the keys has signed.

    Raises
    ------
    Refused
        If there is no signature, it is by another key, or it is not one of this text.
    """
    if not signed.signature:
        raise Refused(f"{signed.origin} is not signed: anybody could have written it")
    key = keys.get(signed.checkpoint.key)
    if key is None:
        shown = signed.checkpoint.key[:8]
        raise Refused(f"{signed.origin} is signed by another key ({shown}…) than the public ones given")
    try:
        key.verify(base64.b64decode(signed.signature, validate=True), signed.checkpoint.text().encode())
    except (InvalidSignature, binascii.Error):
        raise Refused(f"{signed.origin} is not what was signed: the signature does not fit") from None


def _loaded(content: bytes, origin: str, load: Callable[[bytes], object]) -> object:
    """Return the key in a PEM text, None if there is none that is known.

    What stands beside it is refused, such as a second one: only the first would count, without a word.
    """
    if len(content) > _LARGEST_FILE or (b"-----BEGIN" in content and not _PEM.fullmatch(content)):
        raise BadFile(f"{origin} holds more than one key, or text beside it; give each key a file of its own")
    try:
        return load(content)
    except (ValueError, UnsupportedAlgorithm):
        return None
