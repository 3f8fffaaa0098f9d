import { expect } from 'chai'
import { Counter, Gauge, Registry } from 'prom-client'
import { aggregateMetrics } from '#server/cluster/aggregate-metrics.ts'
import { createMetricsRegistry } from '#server/http/metrics.ts'

describe('the figures of several processes', () => {
  function counted(requests: number) {
    const registers = [new Registry()]
    new Counter({ name: 'requests_total', help: 'Requests', labelNames: ['route'], registers }).inc(
      { route: '/a' },
      requests,
    )
    return registers[0]!
  }

  it('are added up, label by label', async () => {
    const all = await Promise.all([counted(2), counted(40)].map(registry => registry.getMetricsAsJSON()))
    expect(await aggregateMetrics(all)).to.contain('requests_total{route="/a"} 42')
  })

  it('that only one of them has stay what they are, also where they are not a number', async () => {
    const worker = counted(1)
    new Gauge({ name: 'waiting', help: 'Waiting', registers: [worker] }).set(7)
    new Gauge({ name: 'unknown', help: 'Unknown', registers: [worker] }).set(Number.NaN)
    const all = await Promise.all([worker, counted(1)].map(registry => registry.getMetricsAsJSON()))
    const text = await aggregateMetrics(all)
    expect(text).to.match(/^waiting 7$/m)
    expect(text).to.match(/^unknown Nan$/m)
  })

  it('that describe a process are averaged or told once, not added up', async () => {
    const [one, two] = [createMetricsRegistry(), createMetricsRegistry()]
    const text = await aggregateMetrics(
      await Promise.all([one, two].map(registry => registry.getMetricsAsJSON())),
    )
    expect(text).to.match(/^nodejs_version_info\{.*\} 1$/m)
    expect(text).not.to.contain('process_start_time_seconds')
  })
})
