import { isRecord, parseJson } from '../json.js';
import { CachedDocument } from './cached-document.js';
import { fetchDocument, unusable } from './fetch-document.js';
/** A new key is published for this long before it signs, and a compromised one is removed at once. */
const freshMsMax = 60_000;
/** While the service can't be reached, its keys are used up to this age. */
const usableMs = 3_600_000;
/** The public keys of the service, cached. */
export class KeySet {
    #document;
    constructor(url, options) {
        this.#document = new CachedDocument(() => loadKeys(url, options));
    }
    /**
     * Whether a JWT with the algorithm ES256 is signed by a key of the set; undefined if the set doesn't have its key.
     * Throws a `ServiceConnectionError` if the key set can't be read.
     */
    async verify({ header, signature, signedBytes }) {
        const { kid } = header;
        if (typeof kid !== 'string')
            return undefined;
        const key = (await this.#document.current()).get(kid) ?? (await this.#document.renewed()).get(kid);
        return (key && (await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, signedBytes)));
    }
}
async function loadKeys(url, options) {
    const { text, maxAgeSeconds } = await fetchDocument(url, 'application/json', options);
    const keySet = parseJson(text);
    if (!isRecord(keySet) || !Array.isArray(keySet.keys))
        throw unusable(url, 'it is not a JWK Set');
    const keys = await Promise.all(keySet.keys.filter(isSigningKey).map(importKey));
    const freshMs = Math.min((maxAgeSeconds ?? Number.POSITIVE_INFINITY) * 1000, freshMsMax);
    return { value: new Map(keys), freshMs, usableMs };
}
/** Other kinds of keys are ignored (RFC 7517, section 5). */
function isSigningKey(jwk) {
    if (!isRecord(jwk) || jwk.kty !== 'EC' || jwk.crv !== 'P-256')
        return false;
    const forSignatures = (jwk.use ?? 'sig') === 'sig' && (jwk.alg ?? 'ES256') === 'ES256';
    return forSignatures && [jwk.kid, jwk.x, jwk.y].every(text => typeof text === 'string');
}
async function importKey({ kid, x, y }) {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    return [
        kid,
        await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, algorithm, false, ['verify']),
    ];
}
