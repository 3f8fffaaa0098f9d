/** Returns a number of at least 0 and less than 1. */
export type Random = () => number

export function between(random: Random, min: number, max: number): number {
  return min + random() * (max - min)
}

/** One of the keys, with a probability proportional to its weight. */
export function weighted<Key extends string>(random: Random, weights: Readonly<Record<Key, number>>): Key {
  const entries = Object.entries(weights) as [Key, number][]
  let remaining = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [key, weight] of entries) {
    remaining -= weight
    if (remaining < 0) return key
  }
  return entries[entries.length - 1]![0]
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!
}
