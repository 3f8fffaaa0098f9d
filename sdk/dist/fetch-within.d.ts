export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
/** The runtime's own, looked up at each call, because some runtimes reject a `fetch` that is called as a method. */
export declare const runtimeFetch: Fetch;
export interface FetchOptions<Result> {
    fetch: Fetch;
    init: RequestInit;
    /** From the request to the end of the response's body. */
    timeoutMs: number;
    signal?: AbortSignal | undefined;
    read(response: Response): Promise<Result>;
}
/**
 * Sends a request and reads its response within the timeout. Throws the signal's reason if it was aborted, the errors
 * of `read`, and a `ServiceConnectionError` for everything else.
 */
export declare function fetchWithin<Result>(url: string, options: FetchOptions<Result>): Promise<Result>;
