export interface LoadedDocument<Value> {
  value: Value
  /** How long it is served without asking again. */
  freshMs: number
  /** How long it is served while it can't be loaded again. */
  usableMs: number
}

interface Stored<Value> {
  value: Value
  loadedAt: number
  freshUntil: number
  usableUntil: number
}

/** Within it, a document isn't renewed again, since what asks for it, such as an unknown `kid`, can come from anyone. */
const renewalIntervalMs = 10_000

/** How long a failure counts for all callers, so that an outage isn't made worse. */
const failureMs = 1_000

/** A document that is loaded when it is needed, once for concurrent callers. */
export class CachedDocument<Value> {
  readonly #load: () => Promise<LoadedDocument<Value>>
  #stored: Stored<Value> | undefined
  #loading: Promise<Value> | undefined
  #failure: { error: unknown; until: number } | undefined

  constructor(load: () => Promise<LoadedDocument<Value>>) {
    this.#load = load
  }

  /** Throws the error of loading if there is no usable document. */
  async current(): Promise<Value> {
    const stored = this.#stored
    if (stored && performance.now() < stored.freshUntil) return stored.value
    try {
      return await this.#reload()
    } catch (error) {
      if (stored && performance.now() < stored.usableUntil) return stored.value
      throw error
    }
  }

  /** The document as of the last 10 seconds. Throws the error of loading. */
  async renewed(): Promise<Value> {
    const stored = this.#stored
    if (stored && performance.now() < stored.loadedAt + renewalIntervalMs) return stored.value
    return await this.#reload()
  }

  async #reload(): Promise<Value> {
    if (this.#failure && performance.now() < this.#failure.until) throw this.#failure.error
    this.#loading ??= this.#loadAndStore().finally(() => {
      this.#loading = undefined
    })
    return await this.#loading
  }

  async #loadAndStore(): Promise<Value> {
    try {
      const { value, freshMs, usableMs } = await this.#load()
      const loadedAt = performance.now()
      this.#stored = { value, loadedAt, freshUntil: loadedAt + freshMs, usableUntil: loadedAt + usableMs }
      this.#failure = undefined
      return value
    } catch (error) {
      this.#failure = { error, until: performance.now() + failureMs }
      throw error
    }
  }
}
