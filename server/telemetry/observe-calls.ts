import { Histogram, type Registry } from 'prom-client'

interface CallsOptions<Call extends string, Failure extends string> {
  registry: Registry
  name: string
  help: string
  /** The label that names the call. */
  label: string
  calls: readonly Call[]
  /** Upper bounds in seconds. */
  buckets: number[]
  /** What the label `result` can be except `success`. */
  failures: readonly Failure[]
  classify(error: unknown): Failure
}

/** Returns the function that makes calls to an external system, and observes their durations by call and result. */
export function observeCalls<Call extends string, Failure extends string>({
  registry,
  name,
  help,
  label,
  calls,
  buckets,
  failures,
  classify,
}: CallsOptions<Call, Failure>) {
  const durations = new Histogram({
    name,
    help,
    labelNames: [label, 'result'],
    buckets,
    registers: [registry],
  })
  for (const call of calls) {
    for (const result of ['success', ...failures]) durations.zero({ [label]: call, result })
  }
  return async <Reply>(call: Call, work: () => Promise<Reply>): Promise<Reply> => {
    const startedAt = performance.now()
    let result: Failure | 'success' = 'success'
    try {
      return await work()
    } catch (error) {
      result = classify(error)
      throw error
    } finally {
      durations.observe({ [label]: call, result }, (performance.now() - startedAt) / 1_000)
    }
  }
}
