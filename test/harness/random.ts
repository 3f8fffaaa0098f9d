import { createHash } from 'node:crypto'

export type Random = ReturnType<typeof createRandom>

/** Reproducible random numbers: the same seed and name give the same sequence. */
export function createRandom(seed: number, name: string) {
  let count = 0
  /** At least 0 and less than 1. */
  function next(): number {
    count += 1
    return createHash('sha256').update(`${seed}/${name}/${count}`).digest().readUInt32BE() / 2 ** 32
  }
  /** A whole number between both bounds, which are included. */
  const between = (lowest: number, highest: number) => lowest + Math.floor(next() * (highest - lowest + 1))
  return {
    between,
    pick: <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)]!,
    chance: (probability: number) => next() < probability,
    /** Picks by weight. */
    weighted<Item extends { weight: number }>(items: readonly Item[]): Item {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0)
      for (const item of items) {
        left -= item.weight
        if (left < 0) return item
      }
      return items.at(-1)!
    },
  }
}
