/** How many requests of one client can wait, and how long each of them. */
const queueMax = 500
const waitMsMax = 2_000

/** Of one client, both in the order of their arrival. */
interface Queue {
  /** Requests that gave their place up while they waited for somebody else. */
  returning: (() => void)[]
  fresh: ((hasPlace: boolean) => void)[]
}

/**
 * A fixed number of places for requests, and a queue for each client whose requests wait for one. The queues are served in
 * turn, so a client with many requests waits for itself, and others don't wait for it.
 */
export class Places {
  readonly #count: number
  readonly #queues = new Map<string, Queue>()
  #free: number

  constructor(count: number) {
    this.#count = count
    this.#free = count
  }

  get taken(): number {
    return this.#count - this.#free
  }

  get waiting(): number {
    return this.#queues
      .values()
      .reduce((sum, { returning, fresh }) => sum + returning.length + fresh.length, 0)
  }

  /**
   * Whether a new request gets a place: at once, or when it is its turn. `client` is called only if it has to wait. One that
   * finds its queue full is told so as late as those in it, so that a connection costs few rejections.
   */
  async take(client: () => string): Promise<boolean> {
    if (this.#takeFree()) return true
    const { fresh } = this.#openQueue(client())
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const isFull = fresh.length >= queueMax
    if (!isFull) fresh.push(resolve)
    const late = setTimeout(() => {
      if (!isFull) fresh.splice(fresh.indexOf(resolve), 1)
      resolve(false)
    }, waitMsMax)
    return await promise.finally(() => clearTimeout(late))
  }

  /** Takes a place again, for a request that gave its own up while it waited: before those of its client that are new. */
  async retake(client: () => string): Promise<void> {
    if (this.#takeFree()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#openQueue(client()).returning.push(resolve)
    await promise
  }

  /** Gives a place to the first request of the client whose turn it is; that client is then the last one. */
  release(): void {
    for (const [client, queue] of this.#queues) {
      const { returning, fresh } = queue
      const next = returning.shift() ?? fresh.shift()
      this.#queues.delete(client)
      if (returning.length + fresh.length > 0) this.#queues.set(client, queue)
      if (next) {
        next(true)
        return
      }
    }
    this.#free += 1
  }

  #takeFree(): boolean {
    const isFree = this.#free > 0
    if (isFree) this.#free -= 1
    return isFree
  }

  #openQueue(client: string): Queue {
    const queue = this.#queues.get(client) ?? { returning: [], fresh: [] }
    this.#queues.set(client, queue)
    return queue
  }
}
