# SPDX-License-Identifier: Apache-2.0
"""Keys and tokens of `gthulhu serve`: who may do what, and until when.

A folder has `signing.pem`, the private key; `trusted/`, the public keys whose tokens count; and
`revoked`, the names and numbers of tokens that count no more. A server that gives out no tokens
needs no `signing.pem`. Without `trusted/`, the public keys are in the folder itself: a Secret of
Kubernetes has no folders. The folder is read again at each request, so a change of it needs no
restart.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from gthulhuc.cli.frame import CommandError

ISSUER = "gthulhu-serve"
AUDIENCE = "gthulhu-node"
_ALGORITHM = "EdDSA"
_REQUIRED = ["iss", "aud", "sub", "jti", "iat", "exp", "typ", "role"]
_SUBJECT = re.compile(r"[A-Za-z0-9._@:/-]{1,100}")
_NUMBER = re.compile(r"[0-9a-f]{16}")  # of a key
_LONGEST_S = 366 * 86400
_MOST_BYTES = 4096  # of a token
_MOST_VERIFIED = 2000


class Role(Enum):
    """The permissions of a token: `operate` includes `read`."""

    READ = "read"
    OPERATE = "operate"


class Kind(Enum):
    """The purpose of a token: to call the API, or only to get a token for it."""

    ACCESS = "access"
    ENROLMENT = "enrolment"


class TokenError(Exception):
    """The token does not count; the message says why."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The content of a valid token; `expires` in seconds since 1970."""

    subject: str
    role: Role
    number: str
    expires: int


def make(folder: Path, *, rotate: bool = False) -> str:
    """Makes a key, and with `rotate` another one that signs from now on; returns its number.

    Tokens of the key before stay valid until its file in `trusted` is removed. Raises CommandError
    and OSError.
    """
    signing, trusted = folder / "signing.pem", folder / "trusted"
    if signing.exists() and not rotate:
        raise CommandError(
            f"{folder} already has a key", "`--rotate` makes another one, which signs from now on"
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    trusted.mkdir(mode=0o700, exist_ok=True)
    private = Ed25519PrivateKey.generate()
    number = secrets.token_hex(8)
    public = _pem(private.public_key())
    secret = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    _write(trusted / f"{number}.pem", public)
    _write(signing, f"{number}\n".encode() + secret)
    return number


def _pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _write(path: Path, content: bytes) -> None:
    """Replaces a file at once, readable for its owner alone."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    new.rename(path)


@dataclass(frozen=True, slots=True)
class _Verified:
    """The claims of a token, and the key that signed them."""

    number: str
    key: Ed25519PublicKey
    claims: dict[str, Any]


class Keys:
    """The keys of a folder. Raises CommandError if it has none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        trusted = folder / "trusted"
        self._keys = trusted if trusted.is_dir() else folder
        self._public: dict[str, tuple[int, Ed25519PublicKey]] = {}
        self._revoked: tuple[int, frozenset[str]] = (0, frozenset())
        self._verified: dict[bytes, _Verified] = {}
        if (folder / "signing.pem").exists() or not self._has_trusted():
            self._signing()

    def mint(self, subject: str, role: Role, kind: Kind, lifetime_s: int) -> str:
        """Signs a token. Raises CommandError for a name or a time that no token may have."""
        if not _SUBJECT.fullmatch(subject):
            raise CommandError(
                f"no token can name {subject!r}",
                "use 1 to 100 letters, digits and the characters . _ @ : / -",
            )
        if not 0 < lifetime_s <= _LONGEST_S:
            raise CommandError("a token is valid for at most 366 days", "choose a shorter time")
        number, private = self._signing()
        now = int(time.time())
        claims = {
            "iss": ISSUER, "aud": AUDIENCE, "sub": subject, "role": role.value, "typ": kind.value,
            "jti": secrets.token_hex(8), "iat": now, "exp": now + lifetime_s,
        }  # fmt: skip
        return jwt.encode(claims, private, algorithm=_ALGORITHM, headers={"kid": number})

    def check(self, token: str, kind: Kind) -> Claims:
        """The claims of a token. Raises TokenError.

        A signature is checked once. Its key, its expiry and the revocations count each time.
        """
        if len(token) > _MOST_BYTES:
            raise TokenError("the token is too long")
        digest = hashlib.sha256(token.encode(errors="surrogatepass")).digest()
        known = self._verified.get(digest)
        if known is None or known.key is not self._trusted(known.number):
            known = self._verify(token)
            self._remember(digest, known)
        return self._claims(known.claims, kind)

    def admit(self, claims: Claims) -> Claims:
        """These claims, if they have not expired and were not revoked. Raises TokenError."""
        if claims.expires <= time.time():
            raise TokenError("the token or certificate has expired")
        if {claims.subject, claims.number} & self._revocations():
            raise TokenError("the token or certificate was revoked")
        return claims

    def _verify(self, token: str) -> _Verified:
        try:
            number = jwt.get_unverified_header(token).get("kid")
            key = self._trusted(number)
            claims = jwt.decode(
                token, key, algorithms=[_ALGORITHM], audience=AUDIENCE, issuer=ISSUER,
                options={"require": _REQUIRED},
            )  # fmt: skip
        except jwt.PyJWTError as error:
            raise TokenError(str(error) or type(error).__name__) from error
        return _Verified(str(number), key, claims)

    def _remember(self, digest: bytes, verified: _Verified) -> None:
        self._verified[digest] = verified
        if len(self._verified) > _MOST_VERIFIED:
            self._verified.pop(next(iter(self._verified)), None)

    def _claims(self, claims: dict[str, Any], kind: Kind) -> Claims:
        if claims["typ"] != kind.value:
            raise TokenError(f"expected a token of type {kind.value}")
        try:
            role = Role(claims["role"])
        except ValueError:
            raise TokenError("the token has no role that exists") from None
        found = Claims(str(claims["sub"]), role, str(claims["jti"]), int(claims["exp"]))
        return self.admit(found)

    def public_pem(self) -> str:
        """The public key of the key that signs."""
        return _pem(self._signing()[1].public_key()).decode()

    def revoke(self, name: str) -> None:
        """Ends the tokens of a subject, or the one with this number, from the next request on."""
        if not _SUBJECT.fullmatch(name):
            raise CommandError(f"no token can name {name!r}", "give a subject or a number (jti)")
        path = self._folder / "revoked"
        before = path.read_bytes() if path.exists() else b""
        _write(path, before + name.encode() + b"\n")

    def _signing(self) -> tuple[str, Ed25519PrivateKey]:
        path = self._folder / "signing.pem"
        hint = f"`gthulhu serve keys {self._folder}` makes keys"
        try:
            number, _, secret = path.read_bytes().partition(b"\n")
            key = serialization.load_pem_private_key(secret, None)
        except FileNotFoundError:
            raise CommandError(f"{self._folder} has no key that signs tokens", hint) from None
        except (ValueError, TypeError):
            raise CommandError(f"{path} has no key of `gthulhu serve`", hint) from None
        if not isinstance(key, Ed25519PrivateKey):
            raise CommandError(f"{path} is not an Ed25519 key", hint)
        return number.decode(errors="replace"), key

    def _has_trusted(self) -> bool:
        return any(_NUMBER.fullmatch(each.stem) for each in self._keys.glob("*.pem"))

    def _trusted(self, number: object) -> Ed25519PublicKey:
        """The public key with a number. Raises TokenError."""
        if not isinstance(number, str) or not _NUMBER.fullmatch(number):
            raise TokenError("the token names no key")
        path = self._keys / f"{number}.pem"
        try:
            changed = path.stat().st_mtime_ns
            known = self._public.get(number)
            if known is None or known[0] != changed:
                key = serialization.load_pem_public_key(path.read_bytes())
                if not isinstance(key, Ed25519PublicKey):
                    raise TokenError("the token's key is not an Ed25519 key")
                known = self._public[number] = (changed, key)
        except (OSError, ValueError):
            self._public.pop(number, None)
            raise TokenError("the token's key is not trusted") from None
        return known[1]

    def _revocations(self) -> frozenset[str]:
        path = self._folder / "revoked"
        with suppress(FileNotFoundError):
            changed = path.stat().st_mtime_ns
            if changed != self._revoked[0]:
                self._revoked = (changed, frozenset(path.read_text(errors="replace").split()))
            return self._revoked[1]
        return frozenset()
