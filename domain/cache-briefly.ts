/**
 * Wraps a function so that callers share one call at a time, and its result for `lifetimeMs` afterwards. An error is
 * shared but not cached. For public information whose cost must not grow with the number of requests.
 */
export function cacheBriefly<Input, Result>(
  lifetimeMs: number,
  load: (input: Input) => Promise<Result>,
): (input: Input, nowMs: number) => Promise<Result> {
  let pending: Promise<Result> | undefined
  let cached: { result: Result; at: number } | undefined
  async function reload(input: Input, nowMs: number): Promise<Result> {
    try {
      const result = await load(input)
      cached = { result, at: nowMs }
      return result
    } finally {
      pending = undefined
    }
  }
  return async (input, nowMs) => {
    if (cached && nowMs >= cached.at && nowMs < cached.at + lifetimeMs) return cached.result
    pending ??= reload(input, nowMs)
    return await pending
  }
}
