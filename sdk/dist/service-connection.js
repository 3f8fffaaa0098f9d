import { AgeVerificationError, ServiceConnectionError } from './errors.js';
import { fetchWithin } from './fetch-within.js';
import { isRecord, parseJson } from './json.js';
import { pause } from './pause.js';
import { retryDelayMs } from './retry.policy.js';
/** Calls the tenant API with an API key, and repeats what failed transiently. */
export class ServiceConnection {
    #options;
    constructor(options) {
        this.#options = options;
    }
    /** Throws an `AgeVerificationError`, a `ServiceConnectionError`, or the signal's reason. */
    async request(request) {
        const { retries } = this.#options;
        const policy = { ...retries, retriesMax: request.retriesMax ?? retries.retriesMax };
        for (let attempt = 1;; attempt++) {
            try {
                return (await this.#attempt(request));
            }
            catch (error) {
                const delayMs = retryDelayMs(error, attempt, policy);
                if (delayMs === undefined)
                    throw error;
                await pause(delayMs, request.signal);
            }
        }
    }
    #attempt({ method, path, body, headers, signal, timeoutMs }) {
        const { baseUrl, apiKey, fetch } = this.#options;
        return fetchWithin(baseUrl + path, {
            fetch,
            init: {
                method,
                headers: {
                    'x-tenant-api-key': apiKey,
                    ...(body && { 'content-type': 'application/json' }),
                    ...headers,
                },
                ...(body && { body: JSON.stringify(body) }),
                // A followed redirect would pass the API key on to another host.
                redirect: 'manual',
            },
            timeoutMs: timeoutMs ?? this.#options.timeoutMs,
            signal,
            read: readResponse,
        });
    }
}
async function readResponse(response) {
    const body = parseJson(await response.text());
    if (response.ok && isRecord(body))
        return body;
    const { status } = response;
    const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'));
    if (!isErrorEnvelope(body)) {
        const message = `The response (HTTP ${status}) is not one of the service. Is baseUrl right?`;
        throw new ServiceConnectionError('invalid_response', message, { status, retryAfterSeconds });
    }
    const { error, message, details, requestId } = body;
    throw new AgeVerificationError({ code: error, message, details, status, requestId, retryAfterSeconds });
}
function isErrorEnvelope(body) {
    return isRecord(body) && typeof body.error === 'string' && typeof body.requestId === 'string';
}
/** In seconds. The service sends seconds; a proxy can send a date. */
function readRetryAfter(header) {
    if (header === null)
        return undefined;
    const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
    return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
