/**
 * Makes `count` calls, 20 of them concurrently: a slow machine would let more wait too long for a connection of the
 * pool. Returns the reasons of those that failed.
 */
export async function failuresInWaves(
  count: number,
  call: (index: number) => Promise<unknown>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  for (let start = 0; start < count; start += waveSize) {
    const wave = Array.from({ length: Math.min(waveSize, count - start) }, (_, index) => call(start + index))
    for (const result of await Promise.allSettled(wave)) {
      if (result.status === 'rejected') failures.push(result.reason)
    }
  }
  return failures
}

const waveSize = 20
