export interface LoadedDocument<Value> {
    value: Value;
    /** How long it is served without asking again. */
    freshMs: number;
    /** How long it is served while it can't be loaded again. */
    usableMs: number;
}
/** A document that is loaded when it is needed, once for concurrent callers. */
export declare class CachedDocument<Value> {
    #private;
    constructor(load: () => Promise<LoadedDocument<Value>>);
    /** Throws the error of loading if there is no usable document. */
    current(): Promise<Value>;
    /** The document as of the last 10 seconds. Throws the error of loading. */
    renewed(): Promise<Value>;
}
