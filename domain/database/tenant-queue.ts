/**
 * A queue that serves the tenants in turns: one item of each that waits, then the next of each. Those of one tenant keep
 * their order.
 */
export class TenantQueue<Item> {
  /** By tenant; the one whose turn is next comes first. */
  readonly #waiting = new Map<string, Item[]>()
  readonly #tenantOf: (item: Item) => string

  constructor(tenantOf: (item: Item) => string) {
    this.#tenantOf = tenantOf
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(item: Item): void {
    const tenant = this.#tenantOf(item)
    const items = this.#waiting.get(tenant)
    if (items) items.push(item)
    else this.#waiting.set(tenant, [item])
  }

  /** Removes and returns `count` items at most, of which no two have the same key. Others of that key stay. */
  take(count: number, keyOf: (item: Item) => string): Item[] {
    const taken = new Map<string, Item>()
    const passedOver: Item[] = []
    while (taken.size < count && !this.isEmpty) {
      const item = this.#next()
      const key = keyOf(item)
      if (taken.has(key)) passedOver.push(item)
      else taken.set(key, item)
    }
    this.#addFirst(passedOver)
    return [...taken.values()]
  }

  #next(): Item {
    const [[tenant, items]] = this.#waiting as unknown as [[string, Item[]]]
    const item = items.shift()!
    this.#waiting.delete(tenant)
    if (items.length > 0) this.#waiting.set(tenant, items)
    return item
  }

  #addFirst(items: Item[]): void {
    for (const item of items.toReversed()) {
      const tenant = this.#tenantOf(item)
      this.#waiting.set(tenant, [item, ...(this.#waiting.get(tenant) ?? [])])
    }
  }
}
