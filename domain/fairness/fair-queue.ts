/**
 * Items of several clients that wait to be served in turn (fair queueing): one of each client, then the next one of each. Those
 * of one client keep their order. So a client with many items waits for itself, and the others don't wait for it.
 */
export class FairQueue<Item> {
  /** By client; the one whose turn is next comes first. */
  readonly #waiting = new Map<string, { returned: Item[]; added: Item[] }>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many of the client's items wait that were not served before. */
  newOf(client: string): number {
    return this.#waiting.get(client)?.added.length ?? 0
  }

  add(client: string, item: Item): void {
    this.#open(client).added.push(item)
  }

  /** Adds an item that was served before and has to be served again: before those of its client that weren't. */
  putBack(client: string, item: Item): void {
    this.#open(client).returned.push(item)
  }

  /** Removes and returns the first item of the client whose turn it is; undefined if nothing waits. */
  next(): Item | undefined {
    const [client] = this.#waiting.keys()
    if (client === undefined) return undefined
    const waiting = this.#waiting.get(client)!
    const item = this.nextOf(client)
    if (this.#waiting.delete(client)) this.#waiting.set(client, waiting)
    return item
  }

  /** Removes and returns the client's first item, whosever turn it is. */
  nextOf(client: string): Item | undefined {
    const { returned, added } = this.#waiting.get(client) ?? none
    return this.#take(client, returned.length > 0 ? returned : added, 0)
  }

  /** Removes an item that doesn't wait any longer, if it is there and was not served before. */
  remove(client: string, item: Item): void {
    const { added } = this.#waiting.get(client) ?? none
    const index = added.indexOf(item)
    if (index !== -1) this.#take(client, added, index)
  }

  #open(client: string): { returned: Item[]; added: Item[] } {
    const waiting = this.#waiting.get(client) ?? { returned: [], added: [] }
    this.#waiting.set(client, waiting)
    this.#size += 1
    return waiting
  }

  #take(client: string, items: Item[], index: number): Item | undefined {
    const taken = items.splice(index, 1)
    this.#size -= taken.length
    const { returned, added } = this.#waiting.get(client) ?? none
    if (returned.length + added.length === 0) this.#waiting.delete(client)
    return taken[0]
  }
}

const none = { returned: [], added: [] }
