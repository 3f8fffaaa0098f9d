/** A number from 0 up to, but without, 1. */
export type Random = () => number

export function between(random: Random, least: number, most: number): number {
  return least + random() * (most - least)
}

/** One of the keys, each as often as its weight says. */
export function weighted<Key extends string>(random: Random, weights: Readonly<Record<Key, number>>): Key {
  const entries = Object.entries(weights) as [Key, number][]
  let rest = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [key, weight] of entries) {
    rest -= weight
    if (rest < 0) return key
  }
  return entries[entries.length - 1]![0]
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!
}
