import { expect } from 'chai'
import { Registry } from 'prom-client'
import { aggregateMetrics } from '#server/cluster/aggregate-metrics.ts'
import { DurationHistogram } from '#server/telemetry/metrics/duration-histogram.ts'

describe('A histogram of durations', () => {
  function histogramWith(...seconds: number[]) {
    const registry = new Registry()
    const histogram = new DurationHistogram({
      name: 'example_seconds',
      help: 'Example',
      labelNames: ['route'],
      buckets: [0.1, 1],
      registry,
    })
    const series = histogram.series({ route: '/a' })
    for (const each of seconds) series.observe(each)
    return registry
  }

  it('counts an observation in its bucket and in all longer ones', async () => {
    expect(await histogramWith(0.05, 0.1, 0.5, 3).metrics()).to.equal(
      [
        '# HELP example_seconds Example',
        '# TYPE example_seconds histogram',
        'example_seconds_bucket{le="0.1",route="/a"} 2',
        'example_seconds_bucket{le="1",route="/a"} 3',
        'example_seconds_bucket{le="+Inf",route="/a"} 4',
        'example_seconds_sum{route="/a"} 3.65',
        'example_seconds_count{route="/a"} 4',
        '',
      ].join('\n'),
    )
  })

  it('is summed over several processes', async () => {
    const registries = [histogramWith(0.05), histogramWith(0.5, 0.5)]
    const text = await aggregateMetrics(
      await Promise.all(registries.map(registry => registry.getMetricsAsJSON())),
    )
    expect(text).to.include('example_seconds_bucket{le="0.1",route="/a"} 1\n')
    expect(text).to.include('example_seconds_bucket{le="+Inf",route="/a"} 3\n')
    expect(text).to.include('example_seconds_count{route="/a"} 3\n')
  })
})
