import { type Bytes } from '../bytes.ts';
/** A JWT in compact form (RFC 7519), whose signature is not verified. */
export interface Jwt {
    header: Record<string, unknown>;
    payload: Record<string, unknown>;
    signedBytes: Bytes;
    signature: Bytes;
}
/** Undefined if it is no signed JWT: whatever a request has in place of a token. */
export declare function parseJwt(text: unknown): Jwt | undefined;
