/** Bytes that Web Crypto accepts: not of a `SharedArrayBuffer`. */
export type Bytes = Uint8Array<ArrayBuffer>;
/** Undefined if the text has other characters than hexadecimal digits, or an odd number of them. */
export declare function fromHex(text: string): Bytes | undefined;
/** Undefined if the text has other characters than base64url's, or an impossible length. No padding (RFC 7515). */
export declare function fromBase64Url(text: string): Bytes | undefined;
