import { startDeadline } from './deadline.js';
import { AgeVerificationError, ServiceConnectionError } from './errors.js';
/** The runtime's own, looked up at each call, because some runtimes reject a `fetch` that is called as a method. */
export const runtimeFetch = (url, init) => globalThis.fetch(url, init);
/**
 * Sends a request and reads its response within the timeout. Throws the signal's reason if it was aborted, the errors
 * of `read`, and a `ServiceConnectionError` for everything else.
 */
export async function fetchWithin(url, options) {
    const { fetch, init, timeoutMs, signal, read } = options;
    signal?.throwIfAborted();
    const deadline = startDeadline(timeoutMs, signal);
    try {
        return await read(await fetch(url, { ...init, signal: deadline.signal }));
    }
    catch (error) {
        if (error instanceof AgeVerificationError || error instanceof ServiceConnectionError)
            throw error;
        if (deadline.isOver)
            throw new ServiceConnectionError('timeout', `No response within ${timeoutMs} ms.`, { cause: error });
        signal?.throwIfAborted();
        throw new ServiceConnectionError('network', 'The service could not be reached.', { cause: error });
    }
    finally {
        deadline.end();
    }
}
