import { expect } from 'chai'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import { eventually } from '../../harness/eventually.ts'
import { inWaves } from '../../harness/in-waves.ts'
import { metricOf } from '../../harness/metrics.ts'
import { tenantClient } from '../../harness/tenant-client.ts'
import { useService } from '../../harness/use-service.ts'
import { captureLog } from '../captured-log.ts'

const requests = 120

describe('The access log of requests without a tenant', () => {
  const { log, lines } = captureLog()
  const service = useService({ log })

  const requested = () => lines().filter(({ msg }) => msg === 'request')
  const counted = () =>
    metricOf(service.services.registry, 'age_verification_http_request_duration_seconds_count', {
      route: 'POST /tokens/validate',
      status: '401',
    })

  it('has a bounded number of lines a second, and says how many were left out; the metric counts all', async () => {
    const startedAt = performance.now()
    await inWaves(requests, () => tenantClient(service, { apiKey: newKeyValue() }).validate('x'))
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000)
    await eventually(() => counted(), { until: count => count === requests })
    const leftOut = () =>
      lines().reduce((sum, line) => sum + (typeof line.leftOut === 'number' ? line.leftOut : 0), 0)
    await eventually(() => leftOut() + requested().length, { until: all => all === requests })
    expect(requested().length).to.be.at.most(50 * (seconds + 1))
  })
})
