import type { Registry } from 'prom-client'

/** One line of `GET /metrics`. */
export interface Series {
  /** With the suffix of a histogram's parts, such as `_count`. */
  name: string
  labels: Record<string, string>
  value: number
}

/** Everything that a process exports at this moment. */
export async function seriesOf(registry: Registry): Promise<Series[]> {
  const metrics = await registry.getMetricsAsJSON()
  return metrics.flatMap(({ name, values }) =>
    (values as (Omit<Series, 'name'> & { metricName?: string })[]).map(
      ({ metricName = name, labels, value }) => ({
        name: metricName,
        labels,
        value,
      }),
    ),
  )
}

/** The sum of a metric's series that have the labels; 0 if there are none. */
export async function metricOf(
  registry: Registry,
  name: string,
  labels: Record<string, string> = {},
): Promise<number> {
  const wanted = Object.entries(labels)
  const found = (await seriesOf(registry)).filter(
    series =>
      series.name === name && wanted.every(([label, value]) => String(series.labels[label]) === value),
  )
  return found.reduce((sum, { value }) => sum + value, 0)
}
