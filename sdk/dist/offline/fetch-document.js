import { ServiceConnectionError } from '../errors.js';
import { fetchWithin } from '../fetch-within.js';
/** Reads a public document. Throws a `ServiceConnectionError`. */
export function fetchDocument(url, mediaType, { fetch, timeoutMs }) {
    const init = { method: 'GET', headers: { accept: mediaType } };
    const read = async (response) => {
        const text = await response.text();
        if (!response.ok)
            throw unusable(url, `HTTP ${response.status}`, response.status);
        return { text, maxAgeSeconds: maxAgeSeconds(response.headers) };
    };
    return fetchWithin(url, { fetch, init, timeoutMs, read });
}
function maxAgeSeconds(headers) {
    const seconds = /(?:^|[\s,])max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1];
    return seconds === undefined ? undefined : Number(seconds);
}
/** A document that can't be used, so that nothing can be decided. */
export function unusable(url, reason, status) {
    const options = status === undefined ? {} : { status };
    return new ServiceConnectionError('invalid_response', `${url} cannot be used: ${reason}`, options);
}
