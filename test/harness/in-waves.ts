const waveSize = 20

/**
 * Makes `count` calls, 20 of them concurrently: a slow machine would let more wait too long for a connection of the
 * pool. Returns what they return, in their order.
 */
export async function inWaves<Result>(
  count: number,
  call: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  while (results.length < count) {
    const length = Math.min(waveSize, count - results.length)
    results.push(...(await Promise.all(Array.from({ length }, (_, index) => call(results.length + index)))))
  }
  return results
}

/** The same, for calls that may fail. Returns the reasons of those that did. */
export async function failuresInWaves(
  count: number,
  call: (index: number) => Promise<unknown>,
): Promise<unknown[]> {
  const settled = await inWaves(count, async index => (await Promise.allSettled([call(index)]))[0])
  return settled.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
}
