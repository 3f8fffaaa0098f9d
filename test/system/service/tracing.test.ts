import { join } from 'node:path'
import { expect } from 'chai'
import { describeWithRedis, startTestRedis } from '../../harness/engines/redis.ts'
import { eventually } from '../../harness/eventually.ts'
import { externalVariables, serviceFixture } from '../../harness/processes/service-fixture.ts'
import type { ServiceProcess } from '../../harness/processes/service-process.ts'
import { decisionOn, sendCallback, sessionOf } from '../../harness/provider-callback.ts'
import { call, tenantClient } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { useService, useTenant } from '../../harness/use-service.ts'
import { type CollectedSpan, startCollector } from './collector.ts'

const traceIds = {
  start: '11111111111111111111111111111111',
  unsampled: '22222222222222222222222222222222',
  callback: '33333333333333333333333333333333',
  unknownRoute: '44444444444444444444444444444444',
  failing: '55555555555555555555555555555555',
}
const clientSpan = 'b7ad6b7169203331'

/** What a client sends that continues one of its traces. */
function continuing(trace: keyof typeof traceIds, flags = '01') {
  return {
    traceparent: `00-${traceIds[trace]}-${clientSpan}-${flags}`,
    tracestate: 'vendor=state-secret',
    baggage: 'user=baggage-secret',
    'user-agent': 'Mozilla/PersonalAgent',
    'x-forwarded-for': '203.0.113.201',
  }
}

describeWithRedis('A process with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const service = useService()
  const tenant = useTenant(service)
  const redis = useOpened(startTestRedis)
  const collector = useOpened(startCollector)
  const fixture = serviceFixture()
  let env: Record<string, string>
  let traced: ServiceProcess
  let secrets: string[]
  before(async () => {
    const { databaseUrl, veriff, veriffUrl } = service
    env = { ...externalVariables(databaseUrl, { ...veriff, baseUrl: veriffUrl }), REDIS_URL: redis.url }
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' }
    traced = await fixture.start({ env: { ...env, ...tracing } })
    secrets = await useTraced()
  })

  /** Everything that the tests look at. Returns what may be in no span. */
  async function useTraced(): Promise<string[]> {
    const { baseUrl } = traced
    const client = tenantClient(traced, tenant)
    const { body } = await client.start({ ip: '203.0.113.202' }, continuing('start'))
    await client.start({}, continuing('unsampled', '00'))
    for (const path of ['/health/live', '/health/ready', '/metrics']) await call(`${baseUrl}${path}`)
    await call(`${baseUrl}/path-secret?query-secret`, { headers: continuing('unknownRoute') })
    await sendCallback(
      { ...service, baseUrl },
      decisionOn(await sessionOf(service, body.verificationId), 'approved'),
    )
    const { token } = (await client.status(body.verificationId)).body
    await client.validate(token)
    const rename = (from: string, to: string) =>
      service.services.database.pool.query(`alter table ${from} rename to ${to}`)
    await rename('verification', 'renamed')
    await client.send(`/verify/status?verificationId=${body.verificationId}`, {
      headers: continuing('failing'),
    })
    await rename('renamed', 'verification')
    await eventually(() => inTrace('failing').some(({ kind }) => kind === 2))
    const { apiKey, sharedSecret } = service.veriff
    const sent = [
      'path-secret',
      'query-secret',
      'state-secret',
      'baggage-secret',
      'PersonalAgent',
      '203.0.113.20',
    ]
    return [tenant.apiKey, token, body.sessionUrl, body.verificationId, apiKey, sharedSecret, ...sent]
  }

  const inTrace = (trace: keyof typeof traceIds) =>
    collector.spans().filter(({ traceId }) => traceId === traceIds[trace])
  const childrenOf = (parent: CollectedSpan | undefined) =>
    collector
      .spans()
      .filter(({ parentSpanId }) => parentSpanId === parent?.spanId)
      .map(({ name }) => name)
  const started = () => inTrace('start').find(({ kind }) => kind === 2)
  const routed = () => inTrace('start').find(({ name }) => name === 'router - /verify/start')

  it('sends a span of a request, which continues the trace of the client, with its route', () => {
    expect(started()).to.include({ name: 'POST /verify/start', parentSpanId: clientSpan, failed: false })
    expect(started()?.attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.response.status_code': 201,
      'http.route': '/verify/start',
    })
    expect(childrenOf(started())).to.deep.equal(['router - /verify/start'])
  })

  it('sends a span of each statement and each request to the provider below it', () => {
    const database = new URL(service.databaseUrl).pathname.slice(1)
    expect(childrenOf(routed())).to.include.members([
      `pg.query:find-key-access ${database}`,
      `pg.query:reserve-start ${database}`,
      'POST',
      `pg.query:confirm-start ${database}`,
    ])
    const statement = inTrace('start').find(({ name }) => name.includes('reserve-start'))
    expect(statement?.attributes).to.deep.equal({
      'db.system.name': 'postgresql',
      'db.postgresql.plan': 'reserve-start',
    })
    const toProvider = inTrace('start').find(({ name }) => name === 'POST')
    expect(toProvider?.attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.response.status_code': 201,
    })
  })

  it('sends a span of each command to Redis', () => {
    const command = inTrace('start').find(({ name }) => name.startsWith('redis-'))
    expect(command?.parentSpanId).to.equal(routed()?.spanId)
    expect(Object.keys(command?.attributes ?? {})).to.have.members(['db.system.name', 'db.operation.name'])
  })

  it('sends nothing of what the client does not sample, of health, of metrics and of background work', () => {
    expect(inTrace('unsampled')).to.deep.equal([])
    const names = collector.spans().map(({ name }) => name)
    expect(names.filter(name => /health|metrics|claim/.test(name))).to.deep.equal([])
    const roots = collector.spans().filter(({ parentSpanId }) => !parentSpanId)
    expect(roots.filter(({ kind, name }) => kind !== 2 && name !== 'redis-connect')).to.deep.equal([])
  })

  it('says which statement has failed, and not why', () => {
    const failed = inTrace('failing').filter(span => span.failed)
    expect(failed.map(({ kind }) => kind)).to.have.members([2, 3])
    expect(failed.some(({ name }) => name.includes('find-key-access-with-verification'))).to.equal(true)
    expect(collector.text()).not.to.match(/"message"|exception|does not exist/)
  })

  it('sends no secrets, no personal data, no ids, no queries, and no paths that are not routes', () => {
    expect(collector.spans().length).to.be.above(15)
    for (const secret of secrets) expect(collector.text().includes(secret), secret).to.equal(false)
    expect(inTrace('unknownRoute').map(({ name }) => name)).to.deep.equal(['GET'])
  })

  it('has the ids of traces in the log, also of those that are not sampled', async () => {
    for (const trace of ['start', 'unsampled'] as const) {
      await traced.says(new RegExp(`"traceId":"${traceIds[trace]}".*"route":"POST /verify/start"`))
    }
  })

  it('loads OpenTelemetry; one without it only its API, which prom-client needs', async () => {
    const preload = join(import.meta.dirname, 'loaded-modules.ts')
    const other = await fixture.start({ name: 'untraced', env, preload })
    await call(`${other.baseUrl}/.well-known/jwks.json`)
    other.signal('SIGTERM')
    const { out } = await other.ended
    expect(out).to.include('loaded: ["@opentelemetry/api"]')
  })
})
