import type { Bytes } from '../bytes.ts';
/** Decompresses the zlib format (RFC 1950); undefined if it is malformed or longer than `bytesMax`. */
export declare function inflate(compressed: Bytes, bytesMax: number): Promise<Uint8Array | undefined>;
