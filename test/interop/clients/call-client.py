"""Calls the clients, or gives the test vectors their verdicts, as standard input says.

Input: {"options", "calls": [[method, arguments, options], …], "isAsync", "hooks"}, {"secret", "fields"}, {"webhooks": […]},
{"tokens": […], "isAsync"}, {"evidence": […]}, {"responses": […], "isAsync"} or {"options": […]}, which are vectors of those
files.
`hooks` is true, or the fault that they have. Output: a JSON array of results or errors, and then of what the hooks were called
with, and what was logged; of a vector, its outcomes.
"""

import asyncio
import base64
import dataclasses
import functools
import inspect
import json
import logging
import re
import sys
import time
import traceback
from datetime import datetime, timedelta

import age_verification.hooks
import httpx
from age_verification import (
    AgeVerificationError,
    AsyncClient,
    Client,
    ResponseEvent,
    RetryOptions,
    ServiceConnectionError,
    WebhookVerificationError,
    sign_test_event,
    verify_webhook,
)
from age_verification.offline import AsyncTokenVerifier, TokenVerifier, verify_evidence


async def call(given):
    events = []

    def observe(event):
        assert given["options"]["api_key"] not in repr(event), "the key is told"
        events.append([type(event).__name__, event.method, event.path, event.attempt, *find_end(event)])

    hook = with_fault(observe, given.get("hooks"))
    hooks = {"on_request": hook, "on_response": hook} if given.get("hooks") else {}
    log = logging.Handler()
    log.emit = lambda record: events.append(["log", record.getMessage(), record.exc_info[0].__name__])
    logging.getLogger("age_verification").addHandler(log)
    client = (AsyncClient if given.get("isAsync") else Client)(**given["options"], **hooks)
    outcomes = [await find_outcome(client, *each) for each in given["calls"]]
    await close(client)
    return [*outcomes, events] if hooks else outcomes


def with_fault(hook, fault):
    """The hook, which then raises, is a coroutine function, raises in one, is cancelled, or never ends."""

    def raising(event):
        hook(event)
        raise LookupError("metrics down")

    async def awaited(event):
        await asyncio.sleep(0)
        hook(event)

    async def raising_awaited(event):
        await awaited(event)
        raise LookupError("metrics down")

    async def endless(event):
        hook(event)
        await asyncio.Event().wait()

    async def cancelled(event):
        hook(event)
        task = asyncio.ensure_future(asyncio.Event().wait())
        task.cancel()
        await task

    async def uncancelled(event):
        try:
            await endless(event)
        except asyncio.CancelledError:
            await asyncio.Event().wait()

    age_verification.hooks._SECONDS_MAX = 0.01 if fault in ("never end", "ignore their cancellation") else 1
    faults = {
        "raise": raising,
        "are coroutines": awaited,
        "raise when awaited": raising_awaited,
        "are cancelled": cancelled,
        "never end": endless,
        "ignore their cancellation": uncancelled,
    }
    return faults.get(fault, hook)


def find_end(event):
    if not isinstance(event, ResponseEvent):
        return []
    assert event.duration >= 0
    return [event.response and event.response.status, event.error and type(event.error).__name__]


async def find_outcome(client, method, arguments=(), options={}):
    statuses = []
    if options.pop("reports", False):
        observe = lambda verification: statuses.append(verification.status)
        options["on_status"] = with_fault(observe, given.get("hooks"))
    cancel_after = options.pop("cancel_after", None)
    try:
        if isinstance(options.get("retries"), dict):
            options["retries"] = RetryOptions(**options["retries"])
        result = getattr(client, method)(*arguments, **options)
        if method == "changes":
            changes = [each async for each in result] if inspect.isasyncgen(result) else list(result)
            return [dataclasses.asdict(change) for change in changes]
        result = await wait_for(result, cancel_after)
    except Exception as error:
        assert given["options"].get("api_key", "") not in "".join(traceback.format_exception(error)), "the key is told"
        verification = getattr(error, "verification", None)
        seen = {**vars(error), "verification": verification and dataclasses.asdict(verification)}
        return {"error": type(error).__name__, "message": str(error), "statuses": statuses, **seen}
    last = dataclasses.asdict(result.last_response)
    return {**dataclasses.asdict(result), "last_response": last, "statuses": statuses}


async def wait_for(result, cancel_after):
    return await asyncio.wait_for(result, cancel_after) if inspect.isawaitable(result) else result


async def close(client):
    await client.aclose() if isinstance(client, AsyncClient) else client.close()


def judge_webhook(vector):
    body = base64.b64decode(vector["body"])
    try:
        event = verify_webhook(
            body, vector["headers"], vector["secrets"], vector["toleranceSeconds"], read_time(vector)
        )
    except WebhookVerificationError as error:
        return error.reason
    sent = json.loads(body)
    assert (event.event, event.tenant_id, event.data) == (sent["event"], sent["tenantId"], sent["data"])
    return "ok"


async def judge_token(vector, is_async):
    """Of each step, what three verifications at the same time conclude, and what they requested."""
    requested = []
    issuer, base_url = vector["issuer"], vector.get("baseUrl")
    published = {f"{issuer}/.well-known/jwks.json": json.dumps(vector["jwks"]), **vector["statusLists"]}
    published = {url.replace(issuer, base_url or issuer): text for url, text in published.items()}
    now = read_time(vector)

    def respond(request):
        requested.append(str(request.url))
        if requested[-1] not in published or not is_reachable:
            raise httpx.ConnectError("unreachable")
        return httpx.Response(200, text=published[requested[-1]])

    def respond_late(request):
        time.sleep(0.002)
        return respond(request)

    async def respond_async(request):
        await asyncio.sleep(0.002)
        return respond(request)

    if is_async:
        http_client = httpx.AsyncClient(transport=httpx.MockTransport(respond_async))
        verifier = AsyncTokenVerifier(issuer, base_url=base_url, now=lambda: now, http_client=http_client)
    else:
        http_client = httpx.Client(transport=httpx.MockTransport(respond_late))
        verifier = TokenVerifier(issuer, base_url=base_url, now=lambda: now, http_client=http_client)

    async def verify(options, explains=False):
        call = functools.partial(verifier.verify, vector["token"], audience=vector["audience"], **options)
        try:
            found = await (call() if is_async else asyncio.to_thread(call))
        except Exception as error:
            return str(error) if explains else type(error).__name__
        assert found.valid == found.over18 == (found.reason == "OK") == bool(found.claims)
        return found.reason

    outcomes = []
    for seconds, is_reachable, options in vector.get("steps", [[0, True, {}]]):
        now = read_time(vector) + timedelta(seconds=seconds)
        requested.clear()
        explains = options.pop("explains", False)
        [reason] = set(await asyncio.gather(*[verify(options, explains) for _ in range(3)]))
        outcomes.append([reason, *[url.split("/")[-1] for url in requested]])
    return outcomes


def judge_evidence(vector):
    found = verify_evidence(vector["jws"], **{name: vector[name] for name in ("issuer", "audience", "jwks")})
    assert found.valid == (found.reason == "OK") == bool(found.claims)
    return found.reason


async def judge_response(vector, is_async):
    attempts = 0

    def respond(request):
        nonlocal attempts
        attempts += 1
        content = vector["body"].encode(vector.get("encoding", "utf-8"))
        return httpx.Response(vector["status"], headers=vector["headers"], content=content)

    transport = httpx.MockTransport(respond)
    http_client = (httpx.AsyncClient if is_async else httpx.Client)(transport=transport)
    retries = RetryOptions(1, 0.001, 0.01)
    client = (AsyncClient if is_async else Client)(
        "https://verify.example", "avk_none", retries=retries, http_client=http_client
    )
    calls = {"start": client.start, "status": lambda: client.status("v"), "validate": lambda: client.validate_token("t")}
    try:
        result = await wait_for(calls[vector["call"]](), None)
    except (AgeVerificationError, ServiceConnectionError) as error:
        reason = error.code if isinstance(error, AgeVerificationError) else error.reason
        outcome = {"reason": reason, "message": str(error), "retryAfterSeconds": error.retry_after_seconds}
    else:
        limit = result.last_response.rate_limit
        rate_limit = limit and {
            "limit": limit.limit,
            "remaining": limit.remaining,
            "resetsAt": limit.resets_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        outcome = {
            **dataclasses.asdict(result),
            "completedAt": getattr(result, "completed_at", None),
            "reason": "ok",
            "rateLimit": rate_limit,
        }
    return {**outcome, "attempts": attempts}


def judge_option(vector):
    """Uses an option, without a connection. Of what is no text, whether it is refused."""
    value, url = vector["value"], "https://verify.example"
    key = value if isinstance(value, str) and re.fullmatch(r"[^\s\"']+", value) else "whsec_other"
    uses = {
        "baseUrl": lambda: Client(value, "avk_none"),
        "apiKey": lambda: Client(url, value),
        "issuer": lambda: TokenVerifier(value),
        "audience": lambda: TokenVerifier(url).verify("no token", audience=value),
        "maxAgeSeconds": lambda: use_max_age(value),
        "secret": lambda: verify_webhook(*reversed(list(vars(sign_test_event(key)).values())), [value]),
    }
    try:
        uses[vector["option"]]()
    except ValueError as error:
        return str(error)
    return ""


def use_max_age(max_age_seconds):
    expired = httpx.Response(200, json={"valid": False, "over18": False, "reason": "TOKEN_EXPIRED"})
    http_client = httpx.Client(transport=httpx.MockTransport(lambda request: expired))
    client = Client("https://verify.example", "avk_none", http_client=http_client)
    refusals = []
    for use in (
        lambda: client.validate_token("no token", max_age_seconds=max_age_seconds),
        lambda: TokenVerifier("https://verify.example").verify(
            "no token", audience="tenant", max_age_seconds=max_age_seconds
        ),
    ):
        try:
            use()
        except ValueError as error:
            refusals.append(error)
    assert len(refusals) != 1, refusals
    if refusals:
        raise refusals[0]


def read_time(vector):
    return datetime.fromisoformat(vector["now"].replace("Z", "+00:00"))


async def run():
    if "webhooks" in given:
        return [judge_webhook(vector) for vector in given["webhooks"]]
    if "secret" in given:
        signed = sign_test_event(given["secret"], **given["fields"])
        return {"headers": signed.headers, "body": signed.body.decode()}
    if "tokens" in given:
        return [await judge_token(vector, given["isAsync"]) for vector in given["tokens"]]
    if "evidence" in given:
        return [judge_evidence(vector) for vector in given["evidence"]]
    if "responses" in given:
        return [await judge_response(vector, given["isAsync"]) for vector in given["responses"]]
    if "calls" not in given:
        return [judge_option(vector) for vector in given["options"]]
    return await call(given)


given = json.load(sys.stdin)
json.dump(asyncio.run(run()), sys.stdout, default=str)
