"""Verification of age tokens without a request for each. It needs PyJWT: `pip install 'age-verification[offline]'`."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Optional

import httpx

from .options import check_max_age, check_seconds, check_text, without_trailing_slash
from .signed_documents import Rejection, SignedDocuments, read_evidence
from .steps import PerProcess, Steps, connect, run, run_async


_TOKEN_CHARACTERS_MAX = 8_192  # No token of the service is as long.


@dataclass(frozen=True)
class OfflineValidation:
    """`valid`, `over18` and the reason `OK` are True together or not at all. `claims` are those of a valid token."""

    valid: bool
    over18: bool
    reason: str
    claims: Optional[Dict[str, Any]] = None


def _read_clock() -> datetime:
    return datetime.now(timezone.utc)


class TokenVerifier:
    """Verifies with the service's public keys, kept for a minute, and its status lists, kept for their `ttl`.

    It needs no API key. Use one verifier for all tokens and threads. `issuer` is the public address of the service,
    `base_url` where it is reached, if that is another one; `timeout` is in seconds, for each document.
    """

    def __init__(
        self,
        issuer: str,
        *,
        base_url: Optional[str] = None,
        timeout: float = 10,
        now: Callable[[], datetime] = _read_clock,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._documents = _to_documents(issuer, base_url, timeout, now)
        self._connections = connect(http_client, httpx.Client)
        # One thread reads a document, and the others wait for it.
        self._lock = PerProcess(threading.Lock, False, threading.Lock())

    def verify(
        self,
        token: str,
        *,
        audience: str,
        check_revocation: bool = True,
        max_age_seconds: Optional[float] = None,
    ) -> OfflineValidation:
        """Raise `ServiceConnectionError` if the keys or the status list can't be read, so that nothing can be decided.

        `audience` is your tenant id. Without `check_revocation` a revoked token is valid until it expires. A valid token
        whose check was longer than `max_age_seconds` ago, by its claim `auth_time`, is `TOKEN_TOO_OLD`.
        """
        with self._lock.current():
            steps = _verify(self._documents, token, audience, check_revocation, max_age_seconds)
            return run(steps, self._connections.current())


class AsyncTokenVerifier:
    """`TokenVerifier` for asyncio: one event loop after the other can use it."""

    def __init__(
        self,
        issuer: str,
        *,
        base_url: Optional[str] = None,
        timeout: float = 10,
        now: Callable[[], datetime] = _read_clock,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._documents = _to_documents(issuer, base_url, timeout, now)
        self._connections = connect(http_client, httpx.AsyncClient)
        self._lock = PerProcess(asyncio.Lock, True)

    async def verify(
        self,
        token: str,
        *,
        audience: str,
        check_revocation: bool = True,
        max_age_seconds: Optional[float] = None,
    ) -> OfflineValidation:
        async with self._lock.current():
            steps = _verify(self._documents, token, audience, check_revocation, max_age_seconds)
            return await run_async(steps, self._connections.current())


@dataclass(frozen=True)
class EvidenceValidation:
    """`valid` and the reason `OK` are together or not at all. `claims` are those of valid evidence."""

    valid: bool
    reason: str
    claims: Optional[Dict[str, Any]] = None


def verify_evidence(jws: str, *, issuer: str, audience: str, jwks: Dict[str, Any]) -> EvidenceValidation:
    """Verify the evidence of a month, the text of its file, without any request: it never expires.

    `jwks` is what `/.well-known/jwks.json` had when it was made, `audience` your tenant id, and `issuer` the address
    of the service then. Raise `ValueError` for keys that can't be used.
    """
    if not audience:
        raise ValueError("audience is missing: pass your tenant id")
    check_text("audience", audience)
    issuer = without_trailing_slash("issuer", issuer)
    if not isinstance(jws, str):
        return EvidenceValidation(False, "TOKEN_MALFORMED")
    try:
        return EvidenceValidation(True, "OK", read_evidence(jws, issuer, audience, jwks))
    except Rejection as rejection:
        return EvidenceValidation(False, rejection.reason)


def _to_documents(
    issuer: str, base_url: Optional[str], timeout: float, now: Callable[[], datetime]
) -> SignedDocuments:
    check_seconds("timeout", timeout)
    issuer = without_trailing_slash("issuer", issuer)
    base_url = without_trailing_slash("base_url", issuer if base_url is None else base_url)
    return SignedDocuments(issuer, base_url, timeout, lambda: now().timestamp())


def _verify(
    documents: SignedDocuments, token: str, audience: str, check_revocation: bool, max_age_seconds: Optional[float]
) -> Steps[OfflineValidation]:
    if not audience:
        raise ValueError("audience is missing: pass your tenant id")
    check_text("audience", audience)
    check_max_age(max_age_seconds)
    if not isinstance(token, str) or len(token) > _TOKEN_CHARACTERS_MAX:
        return OfflineValidation(False, False, "TOKEN_MALFORMED")
    try:
        claims = yield from documents.read_claims(token, "JWT", {"aud": audience})
        if check_revocation and (yield from documents.is_revoked(claims)):
            raise Rejection("TOKEN_REVOKED")
        if claims.get("over18") is not True:
            raise Rejection("UNDERAGE_OR_UNKNOWN")
        if documents.is_too_old(claims, max_age_seconds):
            raise Rejection("TOKEN_TOO_OLD")
    except Rejection as rejection:
        return OfflineValidation(False, False, rejection.reason)
    return OfflineValidation(True, True, "OK", claims)
