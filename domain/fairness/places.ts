import { FairQueue } from '#domain/fairness/fair-queue.ts'

/** How many new requests of one client can wait, and how long each of them. */
const queueMax = 500
const waitMsMax = 2_000

/** Whose a request is: a tenant, or a stranger, by its address. */
export interface Client {
  name: string
  isTenant: boolean
}

type Begin = (hasPlace: boolean) => void

/**
 * A fixed number of places for requests. Those that wait for one are served in turn, one request of each client; and while
 * tenants wait, at least every second place is theirs, from however many addresses strangers ask.
 */
export class Places {
  readonly #count: number
  readonly #tenants = new FairQueue<Begin>()
  readonly #strangers = new FairQueue<Begin>()
  #free: number
  #lastWasTenant = false

  constructor(count: number) {
    this.#count = count
    this.#free = count
  }

  get taken(): number {
    return this.#count - this.#free
  }

  get waiting(): number {
    return this.#tenants.size + this.#strangers.size
  }

  /**
   * Whether a new request gets a place: at once, or when it is its turn. `client` is called only if it has to wait. One that
   * finds its queue full is told so as late as those in it, so that a connection costs few rejections.
   */
  async take(client: () => Client): Promise<boolean> {
    if (this.#takeFree()) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const { name, isTenant } = client()
    const queue = isTenant ? this.#tenants : this.#strangers
    if (queue.newOf(name) < queueMax) queue.add(name, resolve)
    const late = setTimeout(() => {
      queue.remove(name, resolve)
      resolve(false)
    }, waitMsMax)
    return await promise.finally(() => clearTimeout(late))
  }

  /** Takes a place again, for a request that gave its own up while it waited: before those of its client that are new. */
  async retake(client: () => Client): Promise<void> {
    if (this.#takeFree()) return
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const { name, isTenant } = client()
    const queue = isTenant ? this.#tenants : this.#strangers
    queue.putBack(name, resolve)
    await promise
  }

  /** Gives a place to the request whose turn it is. */
  release(): void {
    const isTenants = this.#tenants.size > 0 && !(this.#lastWasTenant && this.#strangers.size > 0)
    const begin = (isTenants ? this.#tenants : this.#strangers).next()
    this.#lastWasTenant = isTenants
    if (begin) begin(true)
    else this.#free += 1
  }

  #takeFree(): boolean {
    const isFree = this.#free > 0
    if (isFree) this.#free -= 1
    return isFree
  }
}
