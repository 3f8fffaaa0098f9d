/** Waits, in milliseconds. Rejects with the signal's reason when it is aborted. */
export declare function pause(ms: number, signal?: AbortSignal): Promise<void>;
