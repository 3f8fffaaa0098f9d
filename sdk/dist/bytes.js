/** Undefined if the text has other characters than hexadecimal digits, or an odd number of them. */
export function fromHex(text) {
    if (!/^([0-9a-f]{2})*$/i.test(text))
        return undefined;
    return Uint8Array.from(text.match(/../g) ?? [], digits => Number.parseInt(digits, 16));
}
/** Undefined if the text has other characters than base64url's, or an impossible length. No padding (RFC 7515). */
export function fromBase64Url(text) {
    if (!/^[\w-]*$/.test(text) || text.length % 4 === 1)
        return undefined;
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, character => character.charCodeAt(0));
}
