/** The value of a JSON text; undefined if it is malformed. */
export declare function parseJson(text: string): unknown;
export declare function isRecord(value: unknown): value is Record<string, unknown>;
/** The text of UTF-8 bytes, as they are; undefined if they are malformed. */
export declare function decodeUtf8(bytes: Uint8Array): string | undefined;
