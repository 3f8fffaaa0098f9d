"""Calls the clients, or gives the test vectors their verdicts, as standard input says.

Input: {"options", "calls": [[method, arguments, options], …], "isAsync"}, {"secret", "fields"}, {"webhooks": […]},
{"tokens": […], "isAsync"}, {"evidence": […]}, {"responses": […], "isAsync"} or {"options": […]}, which are vectors of those
files.
Output: a JSON array of results or errors; of a vector, its outcomes.
"""

import asyncio
import base64
import dataclasses
import functools
import inspect
import json
import re
import sys
import time
import traceback
from datetime import datetime, timedelta

import httpx
from age_verification import (
    AgeVerificationError,
    AsyncClient,
    Client,
    RetryOptions,
    ServiceConnectionError,
    WebhookVerificationError,
    sign_test_event,
    verify_webhook,
)
from age_verification.offline import AsyncTokenVerifier, TokenVerifier, verify_evidence


async def call(given):
    client = (AsyncClient if given.get("isAsync") else Client)(**given["options"])
    outcomes = [await find_outcome(client, *each) for each in given["calls"]]
    await close(client)
    return outcomes


async def find_outcome(client, method, arguments=(), options={}):
    statuses = []
    if options.pop("reports", False):
        options["on_status"] = lambda verification: statuses.append(verification.status)
    try:
        result = getattr(client, method)(*arguments, **options)
        if method == "changes":
            changes = [each async for each in result] if inspect.isasyncgen(result) else list(result)
            return [dataclasses.asdict(change) for change in changes]
        result = await result if inspect.isawaitable(result) else result
    except Exception as error:
        assert given["options"].get("api_key", "") not in "".join(traceback.format_exception(error)), "the key is told"
        verification = getattr(error, "verification", None)
        seen = {**vars(error), "verification": verification and dataclasses.asdict(verification)}
        return {"error": type(error).__name__, "message": str(error), "statuses": statuses, **seen}
    last = dataclasses.asdict(result.last_response)
    return {**dataclasses.asdict(result), "last_response": last, "statuses": statuses}


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
    issuer = vector["issuer"]
    published = {f"{issuer}/.well-known/jwks.json": json.dumps(vector["jwks"]), **vector["statusLists"]}
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
        verifier = AsyncTokenVerifier(issuer, now=lambda: now, http_client=http_client)
    else:
        http_client = httpx.Client(transport=httpx.MockTransport(respond_late))
        verifier = TokenVerifier(issuer, now=lambda: now, http_client=http_client)

    async def verify(options):
        call = functools.partial(verifier.verify, vector["token"], audience=vector["audience"], **options)
        try:
            found = await (call() if is_async else asyncio.to_thread(call))
        except Exception as error:
            return type(error).__name__
        assert found.valid == found.over18 == (found.reason == "OK") == bool(found.claims)
        return found.reason

    outcomes = []
    for seconds, is_reachable, options in vector.get("steps", [[0, True, {}]]):
        now = read_time(vector) + timedelta(seconds=seconds)
        requested.clear()
        [reason] = set(await asyncio.gather(*[verify(options) for _ in range(3)]))
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
        result = calls[vector["call"]]()
        result = await result if inspect.isawaitable(result) else result
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
