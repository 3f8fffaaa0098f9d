import { expect } from 'chai'
import { Counter, Gauge, Registry } from 'prom-client'
import { aggregateMetrics } from '#server/cluster/aggregate-metrics.ts'
import { createMetricsRegistry } from '#server/telemetry/metrics-registry.ts'

describe('The aggregated metrics of several processes', () => {
  function registryWith(requests: number) {
    const registers = [new Registry()]
    new Counter({ name: 'requests_total', help: 'Requests', labelNames: ['route'], registers }).inc(
      { route: '/a' },
      requests,
    )
    return registers[0]!
  }

  it('sum counters per label', async () => {
    const all = await Promise.all(
      [registryWith(2), registryWith(40)].map(registry => registry.getMetricsAsJSON()),
    )
    expect(await aggregateMetrics(all)).to.contain('requests_total{route="/a"} 42')
  })

  it('keep the value of a metric that only one process has, including NaN', async () => {
    const worker = registryWith(1)
    new Gauge({ name: 'waiting', help: 'Waiting', registers: [worker] }).set(7)
    new Gauge({ name: 'unknown', help: 'Unknown', registers: [worker] }).set(Number.NaN)
    const all = await Promise.all([worker, registryWith(1)].map(registry => registry.getMetricsAsJSON()))
    const text = await aggregateMetrics(all)
    expect(text).to.match(/^waiting 7$/m)
    expect(text).to.match(/^unknown Nan$/m)
  })

  it('average or omit metrics that describe one process instead of summing them', async () => {
    const [one, two] = [createMetricsRegistry(), createMetricsRegistry()]
    const text = await aggregateMetrics(
      await Promise.all([one, two].map(registry => registry.getMetricsAsJSON())),
    )
    expect(text).to.match(/^nodejs_version_info\{.*\} 1$/m)
    expect(text).not.to.contain('process_start_time_seconds')
  })
})
