import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/settings/change-settings.ts'
import { traced } from '#domain/tracing.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { setReachable } from '../harness/database-outage.ts'
import { startDeliveryWorker } from '../harness/delivery-worker.ts'
import { describeWithRedis, redisIsMissing } from '../harness/engines/redis.ts'
import { eventually } from '../harness/eventually.ts'
import { decisionOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import {
  createTestTenant,
  startTestService,
  type TestService,
  type TestTenant,
} from '../harness/test-service.ts'
import { captureLog } from './captured-log.ts'
import { type CollectedSpan, type Collector, startCollector } from './collector.ts'
import { createFakeSender, serverError, success } from './webhooks/queue/fake-sender.ts'

const traceIds = {
  start: '11111111111111111111111111111111',
  unsampled: '22222222222222222222222222222222',
  failing: '33333333333333333333333333333333',
  callback: '44444444444444444444444444444444',
  outage: '55555555555555555555555555555555',
  absent: '66666666666666666666666666666666',
}
const clientSpan = 'b7ad6b7169203331'

/** What a client sends that continues one of its traces. */
function continuing(trace: keyof typeof traceIds, flags = '01') {
  return { traceparent: `00-${traceIds[trace]}-${clientSpan}-${flags}` }
}

describe('Traces', () => {
  const captured = captureLog()
  const sender = createFakeSender(() => (sender.requests.length === 1 ? serverError : success))
  const toProvider: string[] = []
  let collector: Collector
  let service: TestService
  let tenant: TestTenant
  let secrets: string[]
  before(async () => {
    collector = await startCollector()
    service = await startTestService({
      log: captured.log,
      redis: redisIsMissing() === undefined,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
      },
    })
    tenant = await createTestTenant(service)
    subscribe('undici:client:sendHeaders', keepHeaders)
    secrets = await useService()
    unsubscribe('undici:client:sendHeaders', keepHeaders)
    await service.close()
  })
  after(() => collector.close())

  function keepHeaders(message: unknown): void {
    const { headers, request } = message as { headers: string; request: { path: string } }
    if (request.path.includes('/v1/sessions')) toProvider.push(headers)
  }

  /** Everything that the tests look at. Returns what may be in no span. */
  async function useService(): Promise<string[]> {
    const client = tenantClient(service, tenant)
    const person = { ip: '203.0.113.201', userAgent: 'Mozilla/PersonalAgent' }
    await setWebhookUrl(forTenant(service.operator(), tenant.tenantId), {
      url: 'https://receiver.example/hook-path-secret',
    })
    const { body } = await client.start(person, continuing('start'))
    await client.start({}, continuing('unsampled', '00'))
    await call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession: 'error-503' } })
    await client.start({}, continuing('failing'))
    await call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession: 'ok' } })
    for (const path of ['/health/live', '/health/ready', '/metrics']) await call(`${service.baseUrl}${path}`)
    await call(`${service.baseUrl}/path-secret?query-secret`)
    await decide(body.verificationId)
    await deliver()
    await together()
    await client.send(`/verify/status?verificationId=${newId(new Date())}`, { headers: continuing('absent') })
    await setReachable(service.databaseUrl, false)
    await client.send(`/verify/status?verificationId=${body.verificationId}`, {
      headers: continuing('outage'),
    })
    await setReachable(service.databaseUrl, true)
    const { token } = (await client.status(body.verificationId)).body
    const { apiKey, sharedSecret } = service.veriff
    const paths = ['hook-path-secret', 'path-secret', 'query-secret']
    return [tenant.apiKey, ...Object.values(person), token, body.sessionUrl, apiKey, sharedSecret, ...paths]
  }

  /** The provider's callback, from a trace of its own. */
  async function decide(verificationId: string): Promise<void> {
    const body = JSON.stringify(decisionOn(await sessionOf(service, verificationId), 'approved'))
    const headers = {
      'content-type': 'application/json',
      'x-auth-client': service.veriff.apiKey,
      'x-hmac-signature': signature(body, service.veriff.sharedSecret),
      ...continuing('callback'),
    }
    expect((await sendCallback(service, body, { headers })).status).to.equal(200)
  }

  /** Two attempts, of which the second succeeds. */
  async function deliver(): Promise<void> {
    const worker = startDeliveryWorker(service, { sender, log: captured.log })
    await eventually(() => captured.text().includes('Webhook delivered'))
    await worker.close()
  }

  /** Two jobs whose statements are sent together. */
  async function together(): Promise<void> {
    const { tenantId, apiKeyId } = tenant
    const scope = () => service.services.scopeFor({ kind: 'api_key', tenantId, apiKeyId, test: false })
    const inJobs = <Result>(work: () => Promise<Result>) =>
      Promise.all(['first job', 'second job'].map(name => traced({ kind: 'job', name }, work)))
    const [started] = await inJobs(() => startVerification(scope(), {}))
    await inJobs(() => getVerificationStatus(scope(), started!.verificationId))
  }

  const inTrace = (traceId: string) => collector.spans().filter(span => span.traceId === traceId)
  const named = (traceId: string, name: string): CollectedSpan => {
    const found = inTrace(traceId).filter(span => span.name === name)
    expect(found, name).to.have.length(1)
    return found[0]!
  }
  const childrenOf = (parent: CollectedSpan) =>
    inTrace(parent.traceId)
      .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
      .map(({ name }) => name)

  it('lead from a request to its verb, to statements and to the provider', () => {
    const request = named(traceIds.start, 'POST /verify/start')
    expect(request).to.include({ parentSpanId: clientSpan, kind: 2, failed: false })
    expect(request.attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/verify/start',
      'http.response.status_code': 201,
      'age_verification.tenant_id': tenant.tenantId,
      'age_verification.api_key_id': tenant.apiKeyId,
    })
    expect(childrenOf(request)).to.include('startVerification')
    const verb = named(traceIds.start, 'startVerification')
    expect(childrenOf(verb)).to.have.members(['reserve-start', 'POST /v1/sessions', 'confirm-start'])
    const statement = named(traceIds.start, 'reserve-start')
    expect(statement.kind).to.equal(3)
    expect(statement.attributes).to.deep.equal({
      'db.system.name': 'postgresql',
      'db.query.summary': 'reserve-start',
    })
    expect(named(traceIds.start, 'POST /v1/sessions').attributes).to.deep.equal({
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'url.template': '/v1/sessions',
      'http.response.status_code': 201,
    })
  })

  it('are continued by the provider', () => {
    const { spanId } = named(traceIds.start, 'POST /v1/sessions')
    expect(toProvider[0]).to.include(`traceparent: 00-${traceIds.start}-${spanId}-01\r\n`)
  })

  it('lead from a callback to all attempts of the delivery, which the receiver continues', () => {
    const verb = named(traceIds.callback, 'recordProviderResult')
    expect(childrenOf(verb)).to.include.members(['load-verification', 'complete-verification'])
    const deliveries = inTrace(traceIds.callback).filter(
      ({ name }) => name === 'deliver verification.completed',
    )
    expect(deliveries.map(({ parentSpanId }) => parentSpanId)).to.deep.equal([verb.spanId, verb.spanId])
    expect(deliveries.map(({ attributes }) => attributes['age_verification.attempt'])).to.deep.equal([1, 2])
    for (const delivery of deliveries)
      expect(childrenOf(delivery)).to.have.members(['POST', 'record-outcomes'])
    const posts = inTrace(traceIds.callback).filter(({ name }) => name === 'POST')
    expect(posts.map(({ attributes }) => attributes['http.response.status_code'])).to.deep.equal([500, 204])
    const received = sender.requests.map(({ headers }) => headers.traceparent)
    expect(received).to.deep.equal(posts.map(({ spanId }) => `00-${traceIds.callback}-${spanId}-01`))
  })

  it('that the client does not sample have no spans, and are continued by the provider', () => {
    expect(inTrace(traceIds.unsampled)).to.deep.equal([])
    expect(toProvider[1]).to.match(new RegExp(`traceparent: 00-${traceIds.unsampled}-[0-9a-f]{16}-00\r\n`))
  })

  it('say what failed', () => {
    const request = named(traceIds.failing, 'POST /verify/start')
    expect(request).to.include({ failed: true })
    expect(request.attributes).to.include({
      'error.type': 'INTERNAL_ERROR',
      'http.response.status_code': 500,
    })
    expect(named(traceIds.failing, 'POST /v1/sessions').attributes).to.include({
      'error.type': 'ProviderUnavailable',
    })
    const absent = named(traceIds.absent, 'getVerificationStatus')
    expect(absent).to.include({ failed: false })
    expect(absent.attributes).to.deep.equal({ 'error.type': 'VERIFICATION_NOT_FOUND' })
    const statement = inTrace(traceIds.outage).find(span => span.attributes['db.query.summary'])
    expect(statement).to.include({ failed: true })
    expect(statement?.attributes).to.have.property('error.type')
  })

  it('each have a span of a statement that they share', () => {
    for (const name of ['reserve-start', 'find-verification-status']) {
      const shared = collector
        .spans()
        .filter(span => span.name === name && span.attributes['db.operation.batch.size'])
      expect(shared, name).to.have.length(2)
      const jobs = shared.map(
        span => inTrace(span.traceId).find(({ spanId }) => spanId === span.parentSpanId)?.name,
      )
      expect(jobs).to.have.members(['first job', 'second job'])
      for (const { attributes } of shared) expect(attributes['db.operation.batch.size']).to.equal(2)
    }
  })

  it('contain no health probes, no paths that are not routes, and nothing of the work that nobody asked for', () => {
    const names = new Set(collector.spans().map(({ name }) => name))
    for (const name of ['GET /health/live', 'GET /health/ready', 'GET /metrics'])
      expect([...names]).not.to.include(name)
    expect([...names]).not.to.include('claim-deliveries')
    const unknown = collector.spans().find(({ attributes }) => attributes['error.type'] === 'ROUTE_NOT_FOUND')
    expect(unknown).to.include({ name: 'GET' })
    expect(unknown?.attributes).not.to.have.property('http.route')
  })

  it('contain no secrets and no personal data', () => {
    expect(collector.spans().length).to.be.above(30)
    for (const secret of secrets) expect(collector.text().includes(secret), secret).to.equal(false)
  })

  it('have their ids in the log', async () => {
    const request = named(traceIds.start, 'POST /verify/start')
    const requestId = String(request.attributes['age_verification.request_id'])
    const [line] = await captured.linesOf(requestId)
    expect(line).to.include({ traceId: traceIds.start })
    const delivered = captured.lines().find(({ msg }) => msg === 'Webhook delivered')
    expect(delivered).to.include({ traceId: traceIds.callback })
    const untold = captured.lines().find(({ route, traceId }) => route === 'none' && traceId !== undefined)
    expect(inTrace(String(untold?.traceId))).to.have.length(1)
  })

  it('are sent with the configured headers', () => {
    expect(collector.headers).not.to.deep.equal([])
    for (const headers of collector.headers) expect(headers.authorization).to.equal('Bearer secret')
  })

  describeWithRedis('with Redis', () => {
    it('have its commands', () => {
      const request = named(traceIds.start, 'POST /verify/start')
      // The key is not cached yet.
      const commands = ['admit', 'lease_entry', 'find-key-access', 'store_entry', 'admit']
      expect(childrenOf(request)).to.include.members(commands)
      expect(named(traceIds.start, 'store_entry').attributes).to.deep.equal({
        'db.system.name': 'redis',
        'db.operation.name': 'store_entry',
      })
    })
  })
})

describe('A collector that is unavailable', () => {
  it('costs nothing but one line in the log', async () => {
    const collector = await startCollector()
    collector.status = 403
    const captured = captureLog()
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const service = await startTestService({ log: captured.log, env })
    try {
      const response = await call(`${service.baseUrl}/.well-known/jwks.json`)
      expect(response.status).to.equal(200)
    } finally {
      await service.close()
      await collector.close()
    }
    const warnings = captured.lines().filter(({ level }) => level === 'warn')
    expect(warnings.map(({ msg }) => msg)).to.deep.equal(['Traces could not be exported; they are dropped'])
    expect(warnings[0]?.err).to.include({ type: 'OTLPExporterError', code: '403' })
  })
})
