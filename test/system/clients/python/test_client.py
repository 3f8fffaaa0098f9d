"""The client has the verdicts of the test vectors, and repeats and waits as it was told to."""

import asyncio
import base64
import copy
import json
import os
import pickle
import socket
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from datetime import datetime, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict

import httpx
import pytest
from age_verification import AgeVerificationError, AsyncClient, ChangesMissedError, Client, CompletionTimeoutError
from age_verification import RetryOptions, ServiceConnectionError
from age_verification import TokenValidation, VerificationResult, WebhookVerificationError, __version__
from age_verification import sign_test_event, verify_webhook
from age_verification.offline import TokenVerifier, verify_evidence

from conftest import API_KEY, URL, Vector, for_each, prepared, raises, read_vectors, to_snake_case

WEBHOOKS = read_vectors("webhook-signatures")
WEBHOOK = WEBHOOKS[0]


@for_each(WEBHOOKS + [{**WEBHOOK, **headers} for headers in prepared["headers"]])
def test_a_webhook_has_its_verdict(vector: Vector) -> None:
    body = base64.b64decode(vector["body"])
    options = [vector["secrets"], vector["toleranceSeconds"], datetime.fromisoformat(vector["now"])]
    with nullcontext() if vector["reason"] == "ok" else raises(WebhookVerificationError, reason=vector["reason"]):
        event = verify_webhook(body, vector["headers"], *options)
        sent = json.loads(body)
        assert (event.event, event.tenant_id, event.data) == (sent["event"], sent["tenantId"], sent["data"])


def test_an_event_for_tests_is_the_request_of_the_service_or_what_the_test_says() -> None:
    sent = json.loads(WEBHOOK["bodyText"])
    facts = {"tenant_id": sent["tenantId"], "verification_id": sent["data"]["verificationId"], "confidence": 0.97}
    signed = sign_test_event(WEBHOOK["secrets"][0], timestamp=datetime.fromisoformat(sent["timestamp"]), **facts)
    assert signed.body.decode() == WEBHOOK["bodyText"]
    assert signed.headers == {name.lower(): value for name, value in prepared["eventHeaders"].items()}
    other = sign_test_event("whsec_other", event="verification.opened", status="denied", verification_id="v")
    event = verify_webhook(other.body.decode(), other.headers, "whsec_other")
    assert event.event == other.headers["x-webhook-event"] == "verification.opened"
    assert event.data == {"verificationId": "v", "status": "denied", "confidence": 1, "provider": "veriff"}


NOTHING = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(404)))
OPTIONS = {
    "baseUrl": [lambda value: Client(value, API_KEY)],
    "apiKey": [lambda value: Client(URL, value)],
    "issuer": [lambda value: TokenVerifier(value)],
    "audience": [lambda value: TokenVerifier(URL).verify("no token", audience=value)],
    "maxAgeSeconds": [
        lambda value: Client(URL, API_KEY, http_client=NOTHING).validate_token("t", max_age_seconds=value),
        lambda value: TokenVerifier(URL).verify("no token", audience="tenant", max_age_seconds=value),
    ],
    "secret": [lambda value: sign_test_event(value), lambda value: verify_webhook(b"", {}, [value])],
}
NUMBERS = [
    {"name": f"{option}: a number", "option": option, "value": 7, "verdict": "invalid", "reason": "missing"}
    for option in ["baseUrl", "apiKey", "issuer", "audience", "secret"]
]


@for_each(read_vectors("options") + NUMBERS)
def test_an_option_has_its_verdict(vector: Vector) -> None:
    message = f"{to_snake_case(vector['option'])} .*{dict(prepared['optionErrors'])[vector['reason']]}"
    for use in OPTIONS[vector["option"]]:
        is_valid = vector["verdict"] == "valid"
        with suppress(ServiceConnectionError, WebhookVerificationError) if is_valid else raises(ValueError, message):
            use(vector["value"])


@for_each(read_vectors("responses"))
def test_a_response_has_its_outcome(make: Any, vector: Vector) -> None:
    requests = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        content = vector["body"].encode(vector.get("encoding", "utf-8"))
        return httpx.Response(vector["status"], headers=vector["headers"], content=content)

    client = make(Client, URL, API_KEY, respond=respond, retries=RetryOptions(1, 0.001, 0.01))
    calls = {"start": [client.start], "status": [client.status, "019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1"], "validate": [client.validate_token, "t"]}
    call, *arguments = calls[vector["call"]]
    try:
        result = call(*arguments)
        outcome = {**vars(result), **vars(result.last_response), "reason": "ok"}
    except (AgeVerificationError, ServiceConnectionError) as error:
        outcome = {"reason": getattr(error, "code", None), **vars(error), "message": str(error)}
    outcome["attempts"] = len(requests)
    if limit := outcome.get("rate_limit"):
        resets_at = limit.resets_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        outcome["rate_limit"] = {"limit": limit.limit, "remaining": limit.remaining, "resetsAt": resets_at}
    names = vector.keys() - {"name", "call", "headers", "body", "encoding", "verdict"}
    assert {name: outcome[to_snake_case(name)] for name in names} == {name: vector[name] for name in names}


@for_each(prepared["ages"])
def test_a_token_that_the_service_says_is_valid_has_the_age_of_its_claim(make: Any, vector: Vector) -> None:
    valid = {"valid": True, "over18": True, "reason": "OK"}
    client = make(Client, URL, API_KEY, respond=lambda _: httpx.Response(200, json=valid))
    validation = client.validate_token(vector["token"], max_age_seconds=3_600)
    is_valid = vector["reason"] == "OK"
    assert validation == TokenValidation(is_valid, is_valid, vector["reason"])
    assert validation.last_response.status == 200


TOKENS = read_vectors("tokens")
NESTED = base64.urlsafe_b64encode(b"[" * 6_000).decode() + ".e30."
MALFORMED = [
    {**TOKENS[0], "name": "none, as of a missing cookie", "token": None, "reason": "TOKEN_MALFORMED"},
    {**TOKENS[0], "name": "nested deeply", "token": NESTED, "reason": "TOKEN_MALFORMED"},
]


def documents_of(vector: Vector) -> Dict[str, str]:
    return {f"{vector['issuer']}/.well-known/jwks.json": json.dumps(vector["jwks"]), **vector["statusLists"]}


def publish(documents: Dict[str, str], request: httpx.Request) -> httpx.Response:
    if str(request.url) not in documents:
        raise httpx.ConnectError("unreachable")
    return httpx.Response(200, text=documents[str(request.url)])


def judge(verifier: TokenVerifier, vector: Vector, **options: Any) -> str:
    try:
        found = verifier.verify(vector["token"], audience=vector["audience"], **options)
    except ServiceConnectionError:
        return "STATUS_LIST_UNUSABLE"  # Or the keys: nothing could be decided.
    assert found.valid == found.over18 == (found.reason == "OK") == bool(found.claims)
    return found.reason


@for_each(TOKENS + MALFORMED + read_vectors("token-ages") + prepared["statusLists"])
def test_a_token_has_its_verdict_offline(make: Any, vector: Vector) -> None:
    now = datetime.fromisoformat(vector["now"])
    verifier = make(TokenVerifier, vector["issuer"], now=lambda: now, respond=partial(publish, documents_of(vector)))
    assert judge(verifier, vector, max_age_seconds=vector.get("maxAgeSeconds")) == vector["reason"]


def test_keys_are_used_for_an_hour_and_a_list_until_it_expires_each_read_once_for_all(make: Any) -> None:
    vector = TOKENS[0]
    documents, requested = documents_of(vector), []
    now = datetime.fromisoformat(vector["now"])

    def respond(request: httpx.Request) -> httpx.Response:
        requested.append(request.url.path.split("/")[-1])
        time.sleep(0.001)  # Meanwhile other threads can send requests.
        return publish(documents, request)

    verifier = make(TokenVerifier, vector["issuer"], now=lambda: now, respond=respond)

    def verdict_after(seconds: int, **options: Any) -> str:
        """Of three verifications at the same time."""
        nonlocal now
        now = datetime.fromisoformat(vector["now"]) + timedelta(seconds=seconds)
        requested.clear()
        with ThreadPoolExecutor(3) as pool:
            [verdict] = set(pool.map(lambda _: judge(verifier, vector, **options), range(3)))
        return verdict

    assert (verdict_after(0), requested) == ("OK", ["jwks.json", "1"])
    documents.clear()
    assert (verdict_after(400), requested) == ("OK", ["jwks.json", "1"])
    assert (verdict_after(400), requested) == ("OK", [])
    assert [verdict_after(830), verdict_after(850)] == ["OK", "STATUS_LIST_UNUSABLE"]
    by_keys_alone = [verdict_after(seconds, check_revocation=False) for seconds in [850, 3_590, 3_610]]
    assert by_keys_alone == ["OK", "OK", "STATUS_LIST_UNUSABLE"]


@for_each(read_vectors("evidence"))
def test_evidence_has_its_verdict_with_the_kept_keys_alone(vector: Vector) -> None:
    found = verify_evidence(vector["jws"], issuer=vector["issuer"], audience=vector["audience"], jwks=vector["jwks"])
    assert found.reason == vector["reason"]
    assert found.valid == (found.reason == "OK") == bool(found.claims)


def test_a_start_is_repeated_with_its_idempotency_key_and_nothing_after_more_than_ten_seconds(make: Any) -> None:
    sent = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append([request.headers.get(name) for name in ("x-tenant-api-key", "user-agent", "idempotency-key")])
        return httpx.Response(503, headers={"retry-after": "0" if request.method == "POST" else "11"})

    client = make(Client, URL, API_KEY, respond=respond)
    for options in [{}, {"retries": 1, "idempotency_key": "mine"}]:
        with raises(ServiceConnectionError, reason="invalid_response", status=503, retry_after_seconds=0):
            client.start(**options)
    with raises(ServiceConnectionError, retry_after_seconds=11):
        client.status("v")
    keys = [str(uuid.UUID(sent[0][2]))] * 3 + ["mine"] * 2 + [None]
    assert sent == [[API_KEY, f"age-verification-python/{__version__}", key] for key in keys]


def test_a_service_that_is_silent_and_one_that_is_absent_are_told_apart(make: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = make(Client, f"http://127.0.0.1:{silent.getsockname()[1]}", API_KEY, retries=0)
        with raises(ServiceConnectionError, reason="timeout"):
            client.status("v", timeout=0.1)
    with raises(ServiceConnectionError, reason="network"):
        client.status("v")


def test_a_wait_goes_through_a_resubmission_and_reports_each_status(make: Any) -> None:
    statuses = ["approved", "approved", "resubmission", "resubmission", "resubmission", "pending", "pending"]
    waits, reported = [], []

    def respond(request: httpx.Request) -> httpx.Response:
        waits.append(request.url.params.get("wait"))
        status, now = statuses.pop(), "2026-01-31T12:00:00.000Z"
        sent = {"verificationId": "v", "status": status, "confidence": None, "createdAt": now}
        return httpx.Response(200, json={**sent, "completedAt": now if status == "approved" else None})

    client = make(Client, URL, API_KEY, respond=respond)
    options = {"on_status": lambda verification: reported.append(verification.status), "polling_interval": 0.001}
    stopped = client.wait_for_completion("v", stop_at_resubmission=True, **options)
    assert (stopped.status, stopped.completed_at) == ("resubmission", None)
    assert client.wait_for_change("v", from_status="resubmission", polling_interval=0.001).status == "approved"
    assert client.wait_for_completion("v", **options).status == "approved"
    assert reported == ["pending", "resubmission", "approved"]
    assert waits == [None, "25", "25", None, "25", "25", None]


def test_changes_end_where_some_were_deleted_unread_behind_those_of_the_page(make: Any) -> None:
    now = "2026-01-31T12:00:00.000Z"
    change = {"status": "denied", "confidence": 0, "createdAt": now, "completedAt": now, "updatedAt": now}
    items = [{**change, "verificationId": each} for each in "ab"]

    def respond(request: httpx.Request) -> httpx.Response:
        listed = [] if request.url.params["after"] == "C2" else items
        return httpx.Response(200, json={"items": listed, "next": "C3", "missedBefore": now})

    for after in ["C1", "C2"]:
        with raises(ChangesMissedError, missed_before=now, cursor="C3"):
            list(make(Client, URL, API_KEY, respond=respond).changes(after, follow=False))
    changes = Client(URL, API_KEY, http_client=httpx.Client(transport=httpx.MockTransport(respond))).changes("C1")
    assert [next(changes).cursor, next(changes).cursor] == ["C1", "C1"]  # Whoever stops there sees the error later.


def test_a_connection_serves_one_process_and_one_event_loop() -> None:
    asked = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked.append(self.client_address[1])
            sent = {"verificationId": "v", "status": "pending", "confidence": None, "createdAt": "now"}
            body = json.dumps({**sent, "completedAt": None}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    client, async_client = [kind(url, API_KEY) for kind in (Client, AsyncClient)]
    given = Client(url, API_KEY, http_client=httpx.Client())
    client.status("v"), given.status("v")
    if not (child := os.fork()):
        with suppress(BaseException):
            client.status("v")
            with raises(ValueError, "^http_client was used before a fork"):
                given.status("v")
            os._exit(7)
        os._exit(0)
    assert os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 7
    client.status("v"), given.status("v")
    assert asked[0] == asked[3] != asked[2] and asked[1] == asked[4]
    given.close()
    with raises(ServiceConnectionError, "closed", reason="network"):
        given.status("v", retries=0)
    for _ in range(2):
        assert asyncio.run(async_client.status("v")).verification_id == "v"
    server.shutdown()


def test_errors_are_copied_and_pass_between_processes() -> None:
    status = VerificationResult("v", "pending", None, "now", None)
    for error in [
        AgeVerificationError("FORBIDDEN", "No.", 403, {"issues": []}, "r", 1.5),
        ServiceConnectionError("network", "Away.", 502, 2),
        CompletionTimeoutError(status),
        ChangesMissedError("2026-01-31T12:00:00.000Z", "C1"),
        WebhookVerificationError("body_malformed"),
    ]:
        for other in [pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)]:
            assert (type(other), str(other), vars(other)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("name, value", [("ALL_PROXY", "socks://127.0.0.1:9"), ("SSL_CERT_FILE", __file__)])
def test_a_variable_of_the_environment_that_cant_be_used_is_named(monkeypatch: Any, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    for make in [lambda: Client(URL, API_KEY), lambda: AsyncClient(URL, API_KEY), lambda: TokenVerifier(URL)]:
        with raises(ValueError, f"^{name} can't be used .*trust_env=False"):
            make()
