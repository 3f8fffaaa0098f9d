/** Within it, a document isn't renewed again, since what asks for it, such as an unknown `kid`, can come from anyone. */
const renewalIntervalMs = 10_000;
/** How long a failure counts for all callers, so that an outage isn't made worse. */
const failureMs = 1_000;
/** A document that is loaded when it is needed, once for concurrent callers. */
export class CachedDocument {
    #load;
    #stored;
    #loading;
    #failure;
    constructor(load) {
        this.#load = load;
    }
    /** Throws the error of loading if there is no usable document. */
    async current() {
        const stored = this.#stored;
        if (stored && performance.now() < stored.freshUntil)
            return stored.value;
        try {
            return await this.#reload();
        }
        catch (error) {
            if (stored && performance.now() < stored.usableUntil)
                return stored.value;
            throw error;
        }
    }
    /** The document as of the last 10 seconds. Throws the error of loading. */
    async renewed() {
        const stored = this.#stored;
        if (stored && performance.now() < stored.loadedAt + renewalIntervalMs)
            return stored.value;
        return await this.#reload();
    }
    async #reload() {
        if (this.#failure && performance.now() < this.#failure.until)
            throw this.#failure.error;
        this.#loading ??= this.#loadAndStore().finally(() => {
            this.#loading = undefined;
        });
        return await this.#loading;
    }
    async #loadAndStore() {
        try {
            const { value, freshMs, usableMs } = await this.#load();
            const loadedAt = performance.now();
            this.#stored = { value, loadedAt, freshUntil: loadedAt + freshMs, usableUntil: loadedAt + usableMs };
            this.#failure = undefined;
            return value;
        }
        catch (error) {
            this.#failure = { error, until: performance.now() + failureMs };
            throw error;
        }
    }
}
