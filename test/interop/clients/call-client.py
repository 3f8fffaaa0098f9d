"""Calls the clients, or gives the test vectors their verdicts, as standard input says.

Input: {"options", "calls": [[method, arguments, options], …], "isAsync"}, {"secret", "fields"}, {"webhooks": […]}
or {"tokens": […], "isAsync"}.
Output: a JSON array of results or errors; of a vector, `ok`, the reason or the error.
"""

import asyncio
import base64
import dataclasses
import inspect
import json
import sys
import traceback
from datetime import datetime

import httpx
from age_verification import AsyncClient, Client, WebhookVerificationError, sign_test_event, verify_webhook
from age_verification.offline import AsyncTokenVerifier, TokenVerifier


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
        result = await wait_for(getattr(client, method)(*arguments, **options))
    except Exception as error:
        assert given["options"].get("api_key", "") not in "".join(traceback.format_exception(error)), "the key is told"
        verification = getattr(error, "verification", None)
        seen = {**vars(error), "verification": verification and dataclasses.asdict(verification)}
        return {"error": type(error).__name__, "message": str(error), "statuses": statuses, **seen}
    last = dataclasses.asdict(result.last_response)
    return {**dataclasses.asdict(result), "last_response": last, "statuses": statuses}


async def wait_for(result):
    return await result if inspect.isawaitable(result) else result


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
    published = {f'{vector["issuer"]}/.well-known/jwks.json': json.dumps(vector["jwks"]), **vector["statusLists"]}
    requested = []

    def respond(request):
        requested.append(str(request.url))
        if requested[-1] not in published:
            raise httpx.ConnectError("unreachable")
        return httpx.Response(200, text=published[requested[-1]])

    transport = httpx.MockTransport(respond)
    http_client = (httpx.AsyncClient if is_async else httpx.Client)(transport=transport)
    kind = AsyncTokenVerifier if is_async else TokenVerifier
    verifier = kind(vector["issuer"], now=lambda: read_time(vector), http_client=http_client)
    try:
        verdicts = [
            await wait_for(verifier.verify(vector["token"], audience=vector["audience"])) for _ in range(2)
        ]
    except Exception as error:
        return type(error).__name__
    assert verdicts[0] == verdicts[1] and len(requested) == len(set(requested)), "documents are kept"
    assert verdicts[0].valid == verdicts[0].over18 == (verdicts[0].reason == "OK") == bool(verdicts[0].claims)
    return verdicts[0].reason


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
