import type { Histogram, Metric, Registry } from 'prom-client'

export interface DurationHistogramOptions<Label extends string> {
  name: string
  help: string
  labelNames: readonly Label[]
  /** Upper bounds in seconds, ascending. */
  buckets: readonly number[]
  registry: Registry
}

/** The observations with the same values of the labels. */
export interface Durations {
  observe(seconds: number): void
}

/**
 * A histogram whose series are looked up once instead of for each observation: prom-client's own takes 0.8 µs to find the
 * series by the values of its labels, which would be more than a hundredth of a request.
 */
export class DurationHistogram<Label extends string> {
  readonly #options: DurationHistogramOptions<Label>
  readonly #series: Series<Label>[] = []

  constructor(options: DurationHistogramOptions<Label>) {
    this.#options = options
    const { name, help, registry } = options
    const get = async () => this.#collect()
    registry.registerMetric({ name, help, type: 'histogram', get } as unknown as Metric)
  }

  /** Adds a series. Call it once for each combination of values. */
  series(labels: Record<Label, string>): Durations {
    const series = new Series(labels, this.#options.buckets)
    this.#series.push(series)
    return series
  }

  #collect(): Collected {
    const { name, help } = this.#options
    const values = this.#series.flatMap(series => series.values(name))
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as Collected
  }
}

type Collected = Awaited<ReturnType<Histogram['get']>>

class Series<Label extends string> implements Durations {
  readonly #labels: Record<Label, string>
  readonly #bounds: readonly number[]
  /** Of each bucket alone; the last one has no upper bound. */
  readonly #counts: number[]
  #sum = 0

  constructor(labels: Record<Label, string>, bounds: readonly number[]) {
    this.#labels = labels
    this.#bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  observe(seconds: number): void {
    const bounds = this.#bounds
    let bucket = 0
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++
    this.#counts[bucket]!++
    this.#sum += seconds
  }

  /** Each bucket includes those below it. */
  values(name: string) {
    let count = 0
    const buckets = this.#counts.map((own, bucket) => {
      count += own
      const le = this.#bounds[bucket] ?? '+Inf'
      return { metricName: `${name}_bucket`, labels: { le, ...this.#labels }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.#labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.#labels, value: count },
    ]
  }
}
