/** Reproducible random numbers: the same seed and name give the same sequence. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number
  /** A whole number between both bounds, which are included. */
  between(lowest: number, highest: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Picks by weight. */
  weighted<Item extends { weight: number }>(items: readonly Item[]): Item
  chance(probability: number): boolean
}

export function createRandom(seed: number, name: string): Random {
  const next = mulberry32(hash(`${seed}/${name}`))
  const between = (lowest: number, highest: number) => lowest + Math.floor(next() * (highest - lowest + 1))
  return {
    next,
    between,
    pick: items => items[between(0, items.length - 1)]!,
    chance: probability => next() < probability,
    weighted(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0)
      for (const item of items) {
        left -= item.weight
        if (left < 0) return item
      }
      return items.at(-1)!
    },
  }
}

/** A generator with 32 bits of state, by Tommy Ettinger. */
function mulberry32(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value >>> 0
}
