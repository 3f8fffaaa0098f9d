import { runtimeFetch } from '../fetch-within.js';
import { isRecord } from '../json.js';
import { withoutTrailingSlash } from '../service-address.js';
import { parseJwt } from './jwt.js';
import { KeySet } from './key-set.js';
import { StatusLists } from './status-list.js';
/**
 * Validates tokens without a request for each, and without an API key: with the service's public keys, cached for a
 * minute, and its status lists, cached for their `ttl`. Use one verifier for all tokens.
 */
export class TokenVerifier {
    #issuer;
    #now;
    #keys;
    #statusLists;
    constructor({ now = () => new Date(), fetch = runtimeFetch, timeoutMs = 10_000, ...addresses }) {
        const issuer = withoutTrailingSlash('issuer', addresses.issuer);
        const baseUrl = withoutTrailingSlash('baseUrl', addresses.baseUrl ?? issuer);
        this.#issuer = issuer;
        this.#now = now;
        this.#keys = new KeySet(`${baseUrl}/.well-known/jwks.json`, { fetch, timeoutMs });
        this.#statusLists = new StatusLists({ issuer, baseUrl, fetch, timeoutMs, keys: this.#keys, now });
    }
    /** Throws a `ServiceConnectionError` if the keys or the status list can't be read, so that nothing can be decided. */
    async verify(token, options) {
        if (!options.audience)
            throw new TypeError('audience is missing: pass your tenant id');
        const jwt = parseJwt(token);
        if (!jwt)
            return invalid('TOKEN_MALFORMED');
        const fault = await this.#faultOf(jwt, options);
        if (fault)
            return invalid(fault);
        return { valid: true, over18: true, reason: 'OK', claims: jwt.payload };
    }
    /** Nothing of the payload is used before the signature is verified. */
    async #faultOf(jwt, { audience, checkRevocation = true }) {
        if (!isAllowed(jwt.header))
            return 'ALGORITHM_NOT_ALLOWED';
        const isSigned = await this.#keys.verify(jwt);
        if (isSigned === undefined)
            return 'KEY_UNKNOWN';
        if (!isSigned)
            return 'SIGNATURE_INVALID';
        const { iss, aud, exp, over18, status } = jwt.payload;
        if (iss !== this.#issuer)
            return 'ISSUER_MISMATCH';
        if (aud !== audience)
            return 'AUDIENCE_MISMATCH';
        if (typeof exp !== 'number')
            return 'TOKEN_MALFORMED';
        if (exp * 1000 <= this.#now().getTime())
            return 'TOKEN_EXPIRED';
        if (checkRevocation) {
            const reference = statusReference(status);
            if (!reference)
                return 'TOKEN_MALFORMED';
            if (await this.#statusLists.isRevoked(reference))
                return 'TOKEN_REVOKED';
        }
        return over18 === true ? undefined : 'UNDERAGE_OR_UNKNOWN';
    }
}
function invalid(reason) {
    return { valid: false, over18: false, reason };
}
/** A status list is signed with the same keys, but has another type. */
function isAllowed({ alg, typ = 'JWT', crit }) {
    return alg === 'ES256' && typ === 'JWT' && crit === undefined;
}
function statusReference(status) {
    const reference = isRecord(status) ? status.status_list : undefined;
    if (!isRecord(reference) || typeof reference.uri !== 'string')
        return undefined;
    const { idx, uri } = reference;
    return Number.isSafeInteger(idx) && idx >= 0 ? { idx: idx, uri } : undefined;
}
