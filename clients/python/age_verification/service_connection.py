"""Requests of the tenant API with an API key, which are repeated if they failed transiently."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional, Type, Union

import httpx

from .errors import AgeVerificationError, ServiceConnectionError
from .results import R, read_response_info, to_result
from .steps import HttpRequest, Steps, to_response
from .version import USER_AGENT

ServiceError = Union[AgeVerificationError, ServiceConnectionError]

_DELAY_SECONDS = 0.5
_DELAY_SECONDS_MAX = 10  # Also of a `Retry-After`.


@dataclass(frozen=True)
class ServiceRequest:
    """Each must be safe to repeat: a read, or a request with an idempotency key. `timeout` is for each attempt."""

    method: str
    path: str
    timeout: float
    retries: int
    body: Optional[Mapping[str, Any]] = None
    idempotency_key: Optional[str] = None


@dataclass(frozen=True)
class ServiceConnection:
    base_url: str
    api_key: str

    def call(self, request: ServiceRequest, kind: Type[R]) -> Steps[R]:
        attempt = 1
        while True:
            try:
                response = to_response((yield self._to_http_request(request)), request.timeout)
                return _read_result(response, kind)
            except (AgeVerificationError, ServiceConnectionError) as error:
                delay = _compute_retry_delay(error, attempt)
                if attempt > request.retries or delay is None:
                    raise
            yield delay
            attempt += 1

    def _to_http_request(self, request: ServiceRequest) -> HttpRequest:
        headers = {"x-tenant-api-key": self.api_key, "accept": "application/json", "user-agent": USER_AGENT}
        content = None
        if request.body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(request.body).encode()
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        return HttpRequest(request.method, self.base_url + request.path, headers, request.timeout, content)


def _read_result(response: httpx.Response, kind: Type[R]) -> R:
    status = response.status_code
    retry_after_seconds = _read_retry_after(response.headers.get("retry-after"))
    try:
        body = json.loads(response.content)
        if 200 <= status < 300:
            return to_result(kind, body, read_response_info(status, response.headers))
        code, request_id = body["error"], body["requestId"]
    except (ValueError, TypeError, KeyError):
        message = f"The response (HTTP {status}) is not one of the service. Is base_url right?"
        raise ServiceConnectionError("invalid_response", message, status, retry_after_seconds) from None
    message, details = body.get("message", ""), body.get("details") or {}
    raise AgeVerificationError(code, message, status, details, request_id, retry_after_seconds)


def _read_retry_after(header: Optional[str]) -> Optional[float]:
    """Return seconds. The service sends seconds; a proxy can send a date."""
    if header is None or re.fullmatch(r"[0-9]+", header):
        return None if header is None else float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def _compute_retry_delay(error: ServiceError, attempt: int) -> Optional[float]:
    """Return the seconds to wait, or None if a repetition can't succeed soon."""
    if not is_transient(error):
        return None
    if error.retry_after_seconds is None:
        return float(min(_DELAY_SECONDS * 2 ** (attempt - 1), _DELAY_SECONDS_MAX) * random.uniform(0.5, 1))
    is_soon = error.retry_after_seconds <= _DELAY_SECONDS_MAX
    return error.retry_after_seconds + random.uniform(0, _DELAY_SECONDS) if is_soon else None


def is_transient(error: ServiceError) -> bool:
    """Return whether a repetition can succeed soon. A quota's month does not end soon, although it is a 429, too."""
    if isinstance(error, AgeVerificationError):
        return error.status >= 500 or error.code == "RATE_LIMIT_EXCEEDED"
    return error.status is None or error.status >= 500 or error.status == 429
