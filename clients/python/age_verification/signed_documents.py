"""JSON Web Tokens that the service signed: age tokens, and the status lists with their revocations."""

from __future__ import annotations

import base64
import re
import zlib
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Optional

import jwt

from .json_text import is_number, parse_json
from .proof_age import is_too_old
from .published_document import Document, KeptDocument, read_document, unusable
from .steps import BYTES_MAX, Steps

_KEYS_FRESH_SECONDS = 60  # A new key is published for longer before it signs, and a compromised one removed at once.
_KEYS_USABLE_SECONDS = 3_600
_KEYS_PAUSE_SECONDS = 10  # Keys aren't read again within it for an unknown `kid`, which can come from anyone.
_LIST_PAUSE_SECONDS = 1

_MISMATCHES = {"iss": "ISSUER_MISMATCH", "aud": "AUDIENCE_MISMATCH", "sub": "SUBJECT_MISMATCH"}

# In base64url without padding, white space or other unused bits than zeros, so that bytes have one spelling.
_BYTES = r"(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?"
_BYTES_FORM = re.compile(_BYTES, re.ASCII)
_COMPACT_FORM = re.compile(rf"{_BYTES}\.{_BYTES}\.{_BYTES}", re.ASCII)

# Their types are incomplete in older versions of PyJWT.
_jwt: Any = jwt


class Rejection(Exception):
    """A token is not valid. The reasons are those of the test vectors."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SignedDocuments:
    def __init__(self, issuer: str, base_url: str, timeout: float, now: Callable[[], float]) -> None:
        self._issuer = issuer
        self._base_url = base_url
        self._timeout = timeout
        self._now = now
        self._keys = KeptDocument(self._read_keys, _KEYS_PAUSE_SECONDS)
        self._lists: Dict[str, KeptDocument[bytes]] = {}

    def read_claims(self, token: str, typ: str, expected: Dict[str, str]) -> Steps[Dict[str, Any]]:
        """Raise a `Rejection`, by the first check that fails, or a `ServiceConnectionError`."""
        key = yield from self._find_key(_read_kid(token, typ))
        claims = _verified_payload(token, key)
        if not is_number(claims.get("exp")):
            raise Rejection("TOKEN_MALFORMED")
        _check_claims(claims, {"iss": self._issuer, **expected})
        if claims["exp"] <= self._now():
            raise Rejection("TOKEN_EXPIRED")
        return claims

    def is_revoked(self, claims: Dict[str, Any]) -> Steps[bool]:
        """Take the claims of a verified token, as every list is kept."""
        try:
            reference = claims["status"]["status_list"]
            idx, uri = reference["idx"], reference["uri"]
        except (KeyError, TypeError):
            raise Rejection("TOKEN_MALFORMED") from None
        if type(idx) is not int or idx < 0 or not isinstance(uri, str):
            raise Rejection("TOKEN_MALFORMED")
        status_list = self._lists.setdefault(uri, KeptDocument(lambda: self._read_list(uri), _LIST_PAUSE_SECONDS))
        bits = yield from status_list.current(self._now())
        if idx >= len(bits) * 8:
            raise unusable(uri, f"it has no index {idx}")
        return bits[idx // 8] >> (idx % 8) & 1 == 1

    def is_too_old(self, claims: Dict[str, Any], max_age_seconds: Optional[float]) -> bool:
        return is_too_old(claims, max_age_seconds, self._now())

    def _find_key(self, kid: str) -> Steps[Any]:
        keys = yield from self._keys.current(self._now())
        if kid not in keys:
            keys = yield from self._keys.newer(self._now())
        if kid in keys:
            return keys[kid]
        # A key that is unknown since the last failure may be a new one.
        raise self._keys.failure or Rejection("KEY_UNKNOWN")

    def _read_keys(self) -> Steps[Document[Dict[str, Any]]]:
        url = f"{self._base_url}/.well-known/jwks.json"
        content = yield from read_document(url, "application/json", self._timeout)
        try:
            keys = _import_keys(parse_json(content))
        except _UNUSABLE_KEYS as error:
            raise unusable(url, repr(error)) from error
        now = self._now()
        return Document(keys, now + _KEYS_FRESH_SECONDS, now + _KEYS_USABLE_SECONDS)

    def _read_list(self, uri: str) -> Steps[Document[bytes]]:
        if not uri.startswith(f"{self._issuer}/"):
            raise unusable(uri, "it is not an address of the service")
        url = self._base_url + uri[len(self._issuer) :]
        content = yield from read_document(url, "application/statuslist+jwt", self._timeout)
        try:
            token = content.decode("utf-8").strip()
            claims = yield from self.read_claims(token, "statuslist+jwt", {"sub": uri})
            ttl, status_list = claims["ttl"], claims["status_list"]
            if not is_number(ttl) or status_list["bits"] != 1:
                raise ValueError("it has no ttl, or other than 1 bit for each token")
            bits = _inflate(_decode(status_list["lst"]))
        except (Rejection, ValueError, TypeError, KeyError, zlib.error) as error:
            raise unusable(uri, self._explain(error)) from error
        now = self._now()
        return Document(bits, min(now + ttl, claims["exp"]), claims["exp"])

    def _explain(self, error: Exception) -> str:
        if not isinstance(error, Rejection) or error.reason != "TOKEN_EXPIRED":
            return repr(error)
        now = datetime.fromtimestamp(self._now(), timezone.utc).isoformat()
        return f"it has expired by this machine's clock, {now}; compare the clocks"


def read_evidence(jws: str, issuer: str, audience: str, jwks: Any) -> Dict[str, Any]:
    """Raise a `Rejection`, by the first check that fails, or a `ValueError` for unusable keys."""
    try:
        keys = _import_keys(jwks)
    except _UNUSABLE_KEYS as error:
        raise ValueError(f"jwks can't be used: {error!r}") from error
    kid = _read_kid(jws, "age-evidence+jwt")
    if kid not in keys:
        raise Rejection("KEY_UNKNOWN")
    claims = _verified_payload(jws, keys[kid])
    _check_claims(claims, {"iss": issuer, "aud": audience})
    return claims


_UNUSABLE_KEYS = (ValueError, TypeError, KeyError, AttributeError, jwt.PyJWTError)


def _import_keys(jwks: Any) -> Dict[str, Any]:
    published = [key for key in jwks["keys"] if key.get("crv") == "P-256"]
    return {key["kid"]: _jwt.PyJWK(key, "ES256").key for key in published}


def _read_kid(token: str, typ: str) -> str:
    header = _read_header(token)
    if header.get("alg") != "ES256" or header.get("typ") != typ or "crit" in header:
        raise Rejection("ALGORITHM_NOT_ALLOWED")
    kid = header.get("kid")
    if not isinstance(kid, str):
        raise Rejection("KEY_UNKNOWN")
    return kid


def _verified_payload(token: str, key: Any) -> Dict[str, Any]:
    try:
        payload = _jwt.PyJWS(["ES256"]).decode(token, key, ["ES256"])
    except (jwt.InvalidTokenError, RecursionError):
        raise Rejection("SIGNATURE_INVALID") from None
    return _parse_object(payload)


def _check_claims(claims: Dict[str, Any], expected: Dict[str, str]) -> None:
    for name, value in expected.items():
        if claims.get(name) != value:
            raise Rejection(_MISMATCHES[name])


def _read_header(token: str) -> Dict[str, Any]:
    if not _COMPACT_FORM.fullmatch(token):
        raise Rejection("TOKEN_MALFORMED")
    return _parse_object(_decode(token.split(".")[0]))


def _parse_object(content: bytes) -> Dict[str, Any]:
    try:
        value = parse_json(content)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Rejection("TOKEN_MALFORMED")
    return value


def _decode(base64url: str) -> bytes:
    if not _BYTES_FORM.fullmatch(base64url):
        raise ValueError("it is not in base64url")
    return base64.urlsafe_b64decode(base64url + "=" * (-len(base64url) % 4))


def _inflate(compressed: bytes) -> bytes:
    """Decompress the zlib format (RFC 1950)."""
    inflating = zlib.decompressobj()
    content = inflating.decompress(compressed, BYTES_MAX + 1)
    if len(content) > BYTES_MAX or not inflating.eof or inflating.unused_data:
        raise ValueError("it is longer than any list of the service, or not in the format of zlib")
    return content
