"""Requests of the tenant API with an API key, which are repeated if they failed transiently."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional, Type

import httpx

from .errors import AgeVerificationError, ServiceConnectionError
from .hooks import Hooks, RequestEvent, ResponseEvent
from .results import R, ResponseInfo, read_response_info, to_result
from .retry_policy import RetryOptions, compute_retry_delay
from .steps import HttpRequest, Steps, to_response
from .version import USER_AGENT


@dataclass(frozen=True)
class ServiceRequest:
    """Each must be safe to repeat: a read, or a request with an idempotency key. `timeout` is for each attempt."""

    method: str
    path: str
    timeout: float
    retries: RetryOptions
    body: Optional[Mapping[str, Any]] = None
    idempotency_key: Optional[str] = None


@dataclass(frozen=True)
class ServiceConnection:
    base_url: str
    api_key: str
    hooks: Hooks

    def call(self, request: ServiceRequest, kind: Type[R]) -> Steps[R]:
        attempt = 1
        while True:
            try:
                return (yield from self._attempt(request, kind, attempt))
            except (AgeVerificationError, ServiceConnectionError) as error:
                delay = compute_retry_delay(error, attempt, request.retries)
                if delay is None:
                    raise
            yield delay
            attempt += 1

    def _attempt(self, request: ServiceRequest, kind: Type[R], attempt: int) -> Steps[R]:
        on_request, on_response = self.hooks.on_request, self.hooks.on_response
        event = RequestEvent(request.method, request.path, attempt)
        info: Optional[ResponseInfo] = None
        failure: Optional[Exception] = None
        started_at = time.monotonic()
        if on_request:
            on_request(event)
        try:
            response = to_response((yield self._to_http_request(request)), request.timeout)
            info = read_response_info(response.status_code, response.headers)
            return _read_result(response, kind, info)
        except Exception as error:
            failure = error
            raise
        finally:
            if on_response:
                duration = time.monotonic() - started_at
                on_response(ResponseEvent(**vars(event), duration=duration, response=info, error=failure))

    def _to_http_request(self, request: ServiceRequest) -> HttpRequest:
        headers = {"x-tenant-api-key": self.api_key, "accept": "application/json", "user-agent": USER_AGENT}
        content = None
        if request.body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(request.body).encode()
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        return HttpRequest(request.method, self.base_url + request.path, headers, request.timeout, content)


def _read_result(response: httpx.Response, kind: Type[R], info: ResponseInfo) -> R:
    status = response.status_code
    retry_after_seconds = _read_retry_after(response.headers.get("retry-after"))
    try:
        body = json.loads(response.content)
        if 200 <= status < 300:
            return to_result(kind, body, info)
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
