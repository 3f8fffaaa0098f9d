/**
 * How long verifications took, as numbers of verifications in 41 buckets: the first one below 1 s, then each √2 times as
 * long as the one before, the last one from 8.6 days. They are packed into one number, eight decimal digits for each
 * bucket, so that adding histograms is adding numbers, in JavaScript as in PostgreSQL.
 */
export type PackedDurations = string

const buckets = 41
const digits = 8

/** The histogram of no durations. */
export const noDurations: PackedDurations = '0'

const ofOne: readonly PackedDurations[] = Array.from({ length: buckets }, (_, bucket) =>
  '1'.padEnd(1 + bucket * digits, '0'),
)

/** The histogram of one duration. */
export function packDuration(ms: number): PackedDurations {
  const bucket = ms < 1000 ? 0 : Math.floor(2 * Math.log2(ms / 1000)) + 1
  return ofOne[Math.min(bucket, buckets - 1)]!
}

/**
 * The median of all durations of the histograms in seconds; null if there are none. It is interpolated within its bucket,
 * so it is less than a factor of √2 off, and typically a few percent. Those of the last bucket count as its beginning.
 */
export function medianSeconds(histograms: readonly PackedDurations[]): number | null {
  const counts = unpack(histograms)
  const middle = counts.reduce((sum, count) => sum + count, 0) / 2
  if (middle === 0) return null
  let below = 0
  for (const [bucket, count] of counts.entries()) {
    if (below + count >= middle) return secondsWithin(bucket, (middle - below) / count)
    below += count
  }
  return null
}

export interface DurationCount {
  /** Null for the longest ones. */
  belowSeconds: number | null
  count: number
}

/** How many durations of the histograms are shorter than a power of two, and not shorter than half of it; without zeros. */
export function countDurations(histograms: readonly PackedDurations[]): DurationCount[] {
  const byPower = Map.groupBy(unpack(histograms).entries(), ([bucket]) => Math.ceil(bucket / 2))
  return [...byPower]
    .map(([power, counts]) => ({
      belowSeconds: power === (buckets - 1) / 2 ? null : 2 ** power,
      count: counts.reduce((sum, [, count]) => sum + count, 0),
    }))
    .filter(({ count }) => count > 0)
}

function unpack(histograms: readonly PackedDurations[]): number[] {
  const counts = new Array<number>(buckets).fill(0)
  for (const packed of histograms) {
    for (let bucket = 0; bucket * digits < packed.length; bucket++) {
      const end = packed.length - bucket * digits
      counts[bucket]! += Number(packed.slice(Math.max(0, end - digits), end))
    }
  }
  return counts
}

/** The duration at a share of a bucket, on its logarithmic scale. */
function secondsWithin(bucket: number, share: number): number {
  if (bucket === 0) return share
  if (bucket === buckets - 1) return 2 ** ((bucket - 1) / 2)
  return 2 ** ((bucket - 1 + share) / 2)
}
