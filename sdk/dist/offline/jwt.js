import { fromBase64Url } from '../bytes.js';
import { decodeUtf8, isRecord, parseJson } from '../json.js';
/** Undefined if it is no signed JWT: whatever a request has in place of a token. */
export function parseJwt(text) {
    const parts = typeof text === 'string' ? text.split('.') : [];
    if (parts.length !== 3)
        return undefined;
    const [header, payload] = parts.slice(0, 2).map(readObject);
    const signature = fromBase64Url(parts[2]);
    if (!header || !payload || !signature)
        return undefined;
    return { header, payload, signedBytes: new TextEncoder().encode(`${parts[0]}.${parts[1]}`), signature };
}
function readObject(part) {
    const bytes = fromBase64Url(part);
    const value = bytes && parseJson(decodeUtf8(bytes) ?? '');
    return isRecord(value) ? value : undefined;
}
