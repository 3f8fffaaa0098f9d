import { fromBase64Url } from '../bytes.js';
import { isRecord } from '../json.js';
import { CachedDocument } from './cached-document.js';
import { fetchDocument, unusable } from './fetch-document.js';
import { inflate } from './inflate.js';
import { parseJwt } from './jwt.js';
const listsMax = 1_000;
const listBytesMax = 4 * 1024 * 1024;
/** IETF Token Status Lists (draft-ietf-oauth-status-list), cached for their `ttl`. */
export class StatusLists {
    #options;
    #lists = new Map();
    constructor(options) {
        this.#options = options;
    }
    /**
     * Whether a token with this reference is revoked, as of the list's `ttl`. The reference must be of a verified token, as
     * every list is kept. Throws a `ServiceConnectionError` if the list can't be read or verified.
     */
    async isRevoked({ idx, uri }) {
        const { bits, bytes } = await this.#list(uri).current();
        const byte = bytes[Math.floor((idx * bits) / 8)];
        if (byte === undefined)
            throw unusable(uri, `it has no index ${idx}`);
        const status = (byte >> ((idx * bits) % 8)) & (2 ** bits - 1);
        return status !== 0;
    }
    #list(uri) {
        const known = this.#lists.get(uri);
        if (known)
            return known;
        const list = new CachedDocument(() => loadList(uri, this.#options));
        if (this.#lists.size >= listsMax)
            this.#lists.delete(this.#lists.keys().next().value);
        this.#lists.set(uri, list);
        return list;
    }
}
const mediaType = 'application/statuslist+jwt';
async function loadList(uri, options) {
    const { issuer, baseUrl } = options;
    if (!uri.startsWith(`${issuer}/`))
        throw unusable(uri, 'it is not an address of the service');
    const { text } = await fetchDocument(baseUrl + uri.slice(issuer.length), mediaType, options);
    const jwt = parseJwt(text.trim());
    if (jwt?.header.typ !== 'statuslist+jwt' || jwt.header.alg !== 'ES256')
        throw unusable(uri, 'it is no status list');
    if (!(await options.keys.verify(jwt)))
        throw unusable(uri, 'its signature is not valid');
    const { sub, exp, ttl, status_list: list } = jwt.payload;
    const lifetimeMs = typeof exp === 'number' ? exp * 1000 - options.now().getTime() : Number.POSITIVE_INFINITY;
    if (sub !== uri)
        throw unusable(uri, 'it is the list of another address');
    if (lifetimeMs <= 0)
        throw unusable(uri, 'it has expired');
    const freshMs = Math.min(typeof ttl === 'number' ? ttl * 1000 : 0, lifetimeMs);
    const usableMs = typeof exp === 'number' ? lifetimeMs : freshMs;
    return { value: await readList(list, uri), freshMs, usableMs };
}
async function readList(list, uri) {
    const { bits, lst } = isRecord(list) ? list : {};
    const compressed = typeof lst === 'string' ? fromBase64Url(lst) : undefined;
    const bytes = compressed && (await inflate(compressed, listBytesMax));
    if (!bytes || ![1, 2, 4, 8].includes(bits))
        throw unusable(uri, 'its status_list is malformed');
    return { bits: bits, bytes };
}
