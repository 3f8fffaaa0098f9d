"""Requests of the tenant API with an API key, which are repeated if they failed transiently."""

from __future__ import annotations

import codecs
import json
import time
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Type

from .errors import AgeVerificationError, ServiceConnectionError
from .hooks import HookCall, Hooks, RequestEvent, ResponseEvent
from .json_text import parse_json
from .results import R, ResponseInfo, read_response_info, to_result
from .retry_policy import RetryOptions, compute_retry_delay, read_retry_after
from .steps import HttpRequest, HttpResponse, Steps, to_response
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
    # Whose status it asks for, if it does.
    verification_id: Optional[str] = None


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
        on_request = self.hooks.on_request
        event = RequestEvent(request.method, request.path, attempt)
        info: Optional[ResponseInfo] = None
        started_at = time.monotonic()
        if on_request:
            yield HookCall("on_request", on_request, event)
        try:
            response = to_response((yield self._to_http_request(request)), request.timeout)
            info = read_response_info(response.status, response.headers)
            result = _read_result(response, kind, info, request.verification_id)
        except GeneratorExit:  # The coroutine was dropped, so that no hook can be awaited.
            raise
        except BaseException as error:
            yield from self._report(event, started_at, info, error)
            raise
        yield from self._report(event, started_at, info, None)
        return result

    def _report(
        self, event: RequestEvent, started_at: float, info: Optional[ResponseInfo], error: Optional[BaseException]
    ) -> Steps[None]:
        if self.hooks.on_response:
            duration = time.monotonic() - started_at
            failure = error if isinstance(error, Exception) else None
            ended = ResponseEvent(**vars(event), duration=duration, response=info, error=failure)
            yield HookCall("on_response", self.hooks.on_response, ended)

    def _to_http_request(self, request: ServiceRequest) -> HttpRequest:
        headers = {"x-tenant-api-key": self.api_key, "accept": "application/json", "user-agent": USER_AGENT}
        content = None
        if request.body is not None:
            headers["content-type"] = "application/json"
            try:
                content = json.dumps(request.body).encode()
            except TypeError as error:
                raise ValueError(f"an argument is not a text: {error}") from None
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        return HttpRequest(request.method, self.base_url + request.path, headers, request.timeout, content)


def _read_result(
    response: HttpResponse, kind: Type[R], info: ResponseInfo, verification_id: Optional[str]
) -> R:
    status = response.status
    retry_after_seconds = read_retry_after(response.headers.get("retry-after"))
    try:
        if response.content is None:
            raise ValueError("it is too long")
        body = parse_json(response.content.removeprefix(codecs.BOM_UTF8))
        if 200 <= status < 300:
            result = to_result(kind, body, info)
            if verification_id is not None and body["verificationId"].lower() != str(verification_id).lower():
                raise ValueError("it is of another verification, which a cache or a connection has mixed up with it")
            return result
        code, request_id = body["error"], body["requestId"]
        if not isinstance(code, str) or not isinstance(request_id, str):
            raise ValueError("it is not an error of the service")
    except (ValueError, TypeError, KeyError):
        message = f"The response (HTTP {status}) is not the service's to this request. Is base_url right?"
        raise ServiceConnectionError("invalid_response", message, status, retry_after_seconds) from None
    message, details = body.get("message"), body.get("details")
    raise AgeVerificationError(
        code,
        message if isinstance(message, str) else None,
        status,
        details if isinstance(details, dict) else {},
        request_id,
        retry_after_seconds,
    )
