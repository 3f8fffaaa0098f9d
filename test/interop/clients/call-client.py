"""Calls the clients, or gives the test vectors their verdicts, as standard input says.

Input: {"options", "calls": [[method, arguments, options], …], "isAsync", "isObserved"}, {"secret", "fields"}, {"webhooks": […]}
or {"tokens": […], "isAsync"}.
Output: a JSON array of results or errors, and then of what the hooks were called with; of a vector, its outcomes.
"""

import asyncio
import base64
import dataclasses
import functools
import inspect
import json
import sys
import time
import traceback
from datetime import datetime, timedelta

import httpx
from age_verification import (
    AsyncClient,
    Client,
    ResponseEvent,
    RetryOptions,
    WebhookVerificationError,
    sign_test_event,
    verify_webhook,
)
from age_verification.offline import AsyncTokenVerifier, TokenVerifier


async def call(given):
    events = []

    def observe(event):
        assert given["options"]["api_key"] not in repr(event), "the key is told"
        events.append([type(event).__name__, event.method, event.path, event.attempt, *find_end(event)])

    hooks = {"on_request": observe, "on_response": observe} if given.get("isObserved") else {}
    client = (AsyncClient if given.get("isAsync") else Client)(**given["options"], **hooks)
    outcomes = [await find_outcome(client, *each) for each in given["calls"]]
    await close(client)
    return [*outcomes, events] if hooks else outcomes


def find_end(event):
    if not isinstance(event, ResponseEvent):
        return []
    assert event.duration >= 0
    return [event.response and event.response.status, event.error and type(event.error).__name__]


async def find_outcome(client, method, arguments=(), options={}):
    statuses = []
    if options.pop("reports", False):
        options["on_status"] = lambda verification: statuses.append(verification.status)
    cancel_after = options.pop("cancel_after", None)
    try:
        if isinstance(options.get("retries"), dict):
            options["retries"] = RetryOptions(**options["retries"])
        result = await wait_for(getattr(client, method)(*arguments, **options), cancel_after)
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
    return await call(given)


given = json.load(sys.stdin)
json.dump(asyncio.run(run()), sys.stdout, default=str)
