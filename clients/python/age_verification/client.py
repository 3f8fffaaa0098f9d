"""Calls to the tenant API."""

import json
import random
import re
import socket
import time
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Dict, Optional
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPErrorProcessor, Request, build_opener

from .errors import AgeVerificationError, ServiceConnectionError

_RETRY_AFTER_SECONDS_MAX = 10
_RESPONSE_BYTES_MAX = 1_048_576


@dataclass(frozen=True)
class VerificationResult:
    """The status of a verification, and its result once `completed_at` is set.

    Admit on `over18`, never on the status `approved`, which minors get, too. `over18` is None until completion, where
    the age is not known, and once the token is revoked; `token_revoked_at` then says when.
    """

    verification_id: str
    status: str
    over18: Optional[bool]
    confidence: Optional[float]
    created_at: str
    completed_at: Optional[str]
    token: Optional[str]
    token_revoked_at: Optional[str] = None


@dataclass(frozen=True)
class TokenValidation:
    """Admit only if `valid` is True; then `over18` is True and `reason` is `OK`."""

    valid: bool
    over18: bool
    reason: str


class Client:
    """Calls the tenant API. 5xx, the rate limit and lost connections are retried, twice by default.

    Every method raises `AgeVerificationError` if the service responds with an error, and `ServiceConnectionError` if
    the service does not respond. `timeout` is in seconds, for each attempt.
    """

    def __init__(self, base_url: str, api_key: str, timeout: float = 15, retries: int = 2) -> None:
        if not re.match(r"https?://", base_url):
            raise ValueError("base_url must be an http or https URL")
        if not re.fullmatch(r"[\x21-\x7e]+", api_key or ""):
            raise ValueError("api_key is missing or has characters that no key has")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries
        self._opener = build_opener(_EveryStatus)

    def status(self, verification_id: str) -> VerificationResult:
        """Return the status of a verification."""
        body = self._call("/verify/status?" + urlencode({"verificationId": verification_id}))
        return VerificationResult(
            verification_id=body["verificationId"],
            status=body["status"],
            over18=body.get("over18"),
            confidence=body.get("confidence"),
            created_at=body["createdAt"],
            completed_at=body.get("completedAt"),
            token=body.get("token"),
            token_revoked_at=body.get("tokenRevokedAt"),
        )

    def validate_token(self, token: str) -> TokenValidation:
        """Validate a token at the service, where a revocation takes effect immediately."""
        body = self._call("/tokens/validate", {"token": token})
        return TokenValidation(body["valid"], body["over18"], body["reason"])

    def _call(self, path: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._attempt(path, body)
            except (AgeVerificationError, ServiceConnectionError) as error:
                delay = _retry_delay(error, attempt)
                if attempt > self._retries or delay is None:
                    raise
                time.sleep(delay)

    def _attempt(self, path: str, body: Optional[Dict[str, Any]]) -> Dict[str, Any]:
        headers = {"x-tenant-api-key": self._api_key, "accept": "application/json"}
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body).encode()
        try:
            with self._opener.open(Request(self._base_url + path, data, headers), timeout=self._timeout) as response:
                return _body_of(response.status, response.headers, response.read(_RESPONSE_BYTES_MAX))
        except (socket.timeout, TimeoutError) as error:
            raise ServiceConnectionError("timeout", f"No response within {self._timeout} s.") from error
        except (URLError, OSError, HTTPException) as error:
            is_timeout = isinstance(getattr(error, "reason", None), (socket.timeout, TimeoutError))
            reason = "timeout" if is_timeout else "network"
            raise ServiceConnectionError(reason, "The service could not be reached.") from error


class _EveryStatus(HTTPErrorProcessor):
    """Returns responses of every status. A followed redirect would pass the API key on to another host."""

    def http_response(self, request: Request, response: Any) -> Any:
        return response

    https_response = http_response


def _body_of(status: int, headers: Any, raw: bytes) -> Dict[str, Any]:
    try:
        body = json.loads(raw.decode("utf-8"))
    except ValueError:
        body = None
    is_object = isinstance(body, dict)
    if is_object and 200 <= status < 300:
        return body
    retry_after = headers.get("Retry-After", "")
    retry_after_seconds = float(retry_after) if re.fullmatch(r"[0-9]+", retry_after) else None
    if not is_object or not isinstance(body.get("error"), str) or "requestId" not in body:
        message = f"The response (HTTP {status}) is not one of the service. Is base_url right?"
        raise ServiceConnectionError("invalid_response", message, status, retry_after_seconds)
    raise AgeVerificationError(
        code=body["error"],
        message=body.get("message", ""),
        status=status,
        details=body.get("details", {}),
        request_id=body["requestId"],
        retry_after_seconds=retry_after_seconds,
    )


def _retry_delay(error: Any, attempt: int) -> Optional[float]:
    """Return the seconds to wait, or None if a repetition can't succeed soon, as with a month's quota."""
    if isinstance(error, AgeVerificationError):
        is_transient = error.status >= 500 or error.code == "RATE_LIMIT_EXCEEDED"
    else:
        is_transient = error.status is None or error.status >= 500 or error.status == 429
    if not is_transient:
        return None
    if error.retry_after_seconds is None:
        return 0.5 * 2 ** (attempt - 1) * random.uniform(0.5, 1)
    is_soon = error.retry_after_seconds <= _RETRY_AFTER_SECONDS_MAX
    return error.retry_after_seconds + random.uniform(0, 0.5) if is_soon else None
