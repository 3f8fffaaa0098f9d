import { once } from 'node:events'
import { expect } from 'chai'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { forTenant } from '#domain/scope.ts'
import { setReturnUrl, setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { revealWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { tasks } from '#server/background/tasks.ts'
import { createTestDatabase } from '../harness/database.ts'
import { setReachable } from '../harness/database-outage.ts'
import { decisionOn, eventOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { connectTo, sendRaw } from '../harness/raw-http.ts'
import { call, control, tenantClient } from '../harness/tenant-client.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { captureLog } from './captured-log.ts'

describe('The log', () => {
  const captured = captureLog()
  const database = useOpened(createTestDatabase)
  const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const service = useService(() => ({ databaseUrl: database.url, log: captured.log, env }))
  const tenant = useTenant(service)

  it('has one line for each request, with its id, tenant, key, verification, route, status and duration', async () => {
    const response = await tenantClient(service, tenant).start({}, { 'idempotency-key': 'line' })
    const lines = await captured.linesOf(response.headers.get('x-request-id'))
    expect(lines).to.have.length(1)
    const { time, durationMs, ...line } = lines[0]!
    expect(line).to.deep.equal({
      level: 'info',
      requestId: response.headers.get('x-request-id'),
      tenantId: tenant.tenantId,
      apiKeyId: tenant.apiKeyId,
      verificationId: response.body.verificationId,
      method: 'POST',
      route: 'POST /verify/start',
      status: 201,
      msg: 'request',
    })
    expect(durationMs).to.be.a('number').that.is.at.least(0)
    expect(new Date(time as string).toISOString()).to.equal(time)
  })

  it('names the tenant, the key and the code of a rejected request, and no undeclared route', async () => {
    const scopes = ['tokens:validate' as const]
    const { tenantId } = tenant
    const { key, value } = await createApiKey(forTenant(service.operator(), tenantId), {
      name: 'narrow',
      scopes,
    })
    const rejected = await tenantClient(service, { apiKey: value }).start()
    const [ofRejected] = await captured.linesOf(rejected.body.requestId)
    const described = { tenantId, apiKeyId: key.id, route: 'POST /verify/start' }
    expect(ofRejected).to.include({ status: 403, code: 'FORBIDDEN', ...described })
    const missing = await call(`${service.baseUrl}/somewhere/private`)
    const [ofMissing] = await captured.linesOf(missing.body.requestId)
    expect(ofMissing).to.include({ status: 404, code: 'ROUTE_NOT_FOUND', route: 'none' })
  })

  it('keeps the request id of the client beside its own id, if it is well-formed', async () => {
    const given = { 'x-request-id': 'edge-7f/3' }
    const response = await tenantClient(service, tenant).send('/verify/status', { headers: given })
    const requestId = response.headers.get('x-request-id')
    expect(requestId).not.to.equal('edge-7f/3')
    expect((await captured.linesOf(requestId))[0]).to.include({ inboundRequestId: 'edge-7f/3' })
    const malformed = { 'x-request-id': 'a"b, "level":"fatal' }
    const other = await tenantClient(service, tenant).send('/verify/status', { headers: malformed })
    const [line] = await captured.linesOf(other.headers.get('x-request-id'))
    expect(line).not.to.have.any.keys('inboundRequestId')
    expect(captured.text()).not.to.include('fatal')
  })

  it('says in one line for each callback what it did, or why nothing', async () => {
    const { verificationId } = (await tenantClient(service, tenant).start()).body
    const session = await sessionOf(service, verificationId)
    const declined = decisionOn(session, 'declined', { code: 9102, reasonCode: 106 })
    const why = { outcome: 'declined', code: 9102, reasonCode: '106' }
    const started = eventOn(session, 7001)
    const callbacks = [
      [started, 'Verification status changed', { from: 'pending', status: 'started' }],
      [started, 'A provider result changed nothing', { reason: 'no_transition' }],
      [
        declined,
        'Verification status changed',
        { from: 'started', status: 'denied', source: 'provider', completed: true, ...why },
      ],
      [declined, 'A provider result changed nothing', { reason: 'repeated', status: 'denied' }],
      [eventOn(session, 7002), 'A provider result changed nothing', { reason: 'completed' }],
      [
        decisionOn(session, 'approved'),
        'A late result contradicts a completed verification',
        { revokesToken: false },
      ],
    ] as const
    const { tenantId } = tenant
    const { sessionId: providerSessionId } = session
    for (const [body, msg, fields] of callbacks) {
      const { headers } = await sendCallback(service, body)
      const [line, request, ...rest] = await captured.linesOf(headers.get('x-request-id'))
      expect(line).to.include({ msg, verificationId, tenantId, providerSessionId, ...fields })
      expect(request).to.include({ msg: 'request', verificationId, tenantId, status: 200 })
      expect(rest).to.deep.equal([])
    }
  })

  it('contains no secrets and no personal data', async () => {
    const secrets = await callEverything()
    const text = captured.text()
    expect(captured.lines().length).to.be.above(50)
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).to.have.length.of.at.least(4)
      expect(text.includes(secret), `${name} in ${around(text, secret)}`).to.equal(false)
    }
  })

  const providerMode = (createSession: string, decision = 'ok') =>
    call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession, decision } })

  /** Calls every endpoint with valid and invalid input; returns the values that the log must not contain. */
  async function callEverything(): Promise<Record<string, string>> {
    const client = tenantClient(service, tenant)
    const operator = service.operator()
    const { tenantId } = tenant
    await setWebhookUrl(forTenant(operator, tenantId), { url: 'https://127.0.0.1:9/hook-path-secret' })
    await setReturnUrl(forTenant(operator, tenantId), { url: 'https://shop.example/return-path-secret' })
    const { webhookSecret } = await revealWebhookSecret(forTenant(operator, tenantId))
    const person = { userAgent: 'Mozilla/PersonalAgent', ip: '203.0.113.201' }
    const started = await client.start(person, { 'idempotency-key': 'personal-idempotency-key' })
    await client.start(person, { 'idempotency-key': 'personal-idempotency-key' })
    await client.start({ ip: '203.0.113.202' }, { 'idempotency-key': 'personal-idempotency-key' })
    const { verificationId, sessionUrl } = started.body
    await control(service, verificationId, 'open')
    await control(service, verificationId, 'submit', { delivery: 'wrong-signature' })
    const session = await sessionOf(service, verificationId)
    const birth = { person: { firstName: 'ANNAPERSON', lastName: 'NAMEPERSON', dateOfBirth: '1987-06-05' } }
    await sendCallback(service, eventOn(session, 7001))
    await sendCallback(service, decisionOn(session, 'approved', birth))
    // The late decline revokes it.
    const { token } = (await client.status(verificationId)).body
    await sendCallback(service, decisionOn(session, 'declined', { ...birth, reason: 'PERSONAL-REASON' }))
    await sendCallback(service, decisionOn({ ...session, sessionId: 'stranger' }, 'approved', birth))
    await sendCallback(service, { unknown: birth })
    await sendCallback(service, '{"firstName":"ANNAPERSON"')
    await sendCallback(service, decisionOn(session, 'approved', birth), { secret: 'a-wrong-shared-secret' })
    await client.validate(token)
    await client.validate(`${token}x`)
    await client.submit(verificationId)
    await client.send('/verify/complete', { method: 'POST', json: person })
    await sendBadRequests()
    await callConsole(token)
    await callDuringOutages(session, birth, token)
    for (const task of tasks) await task.run(service.services.scopeFor({ kind: 'service' }))
    return {
      apiKey: tenant.apiKey,
      apiKeyStart: tenant.apiKey.slice(0, 12),
      webhookSecret: webhookSecret!,
      token,
      signatureOfToken: token.split('.')[2],
      claimsOfToken: token.split('.')[1],
      sessionUrl,
      sessionToken: new URL(sessionUrl).pathname.split('/').at(-1)!,
      dateOfBirth: '1987-06-05',
      firstName: 'ANNAPERSON',
      lastName: 'NAMEPERSON',
      ...person,
      reason: 'PERSONAL-REASON',
      idempotencyKey: 'personal-idempotency-key',
      otherIp: '203.0.113.202',
      providerKey: service.veriff.apiKey,
      providerSecret: service.veriff.sharedSecret,
      wrongSecret: 'a-wrong-shared-secret',
      hookPath: 'hook-path-secret',
      returnPath: 'return-path-secret',
      strayed: 'strayed-secret',
      password: new URL(service.databaseUrl).password || 'no password',
    }
  }

  async function sendBadRequests(): Promise<void> {
    const client = tenantClient(service, tenant)
    const json = { 'content-type': 'application/json' }
    await client.send('/verify/strayed-secret')
    await client.send('/verify/status?verificationId=strayed-secret&strayed-secret=1')
    await client.start({ 'strayed-secret': 1, ip: 'strayed-secret', userAgent: ['strayed-secret'] })
    await client.send('/verify/start', { method: 'POST', raw: '{"strayed-secret', headers: json })
    await client.send('/verify/start', { method: 'POST', raw: 'strayed-secret'.repeat(5000), headers: json })
    await client.validate(['strayed-secret'])
    await client.start({}, { 'idempotency-key': 'strayed-secret with blanks' })
    await tenantClient(service, { apiKey: 'avk_strayed-secret' }).validate('x')
    await call(`${service.baseUrl}/verify/start`, { headers: { 'x-strayed-secret': 'strayed-secret' } })
    await sendRaw(service.baseUrl, 'GET /strayed-secret nonsense\r\n\r\n')
    const socket = await connectTo(service.baseUrl)
    const key = `x-tenant-api-key: ${tenant.apiKey}`
    socket.write(
      `POST /verify/start HTTP/1.1\r\nHost: a\r\n${key}\r\nContent-Length: 99\r\n\r\n{"strayed-secret`,
    )
    socket.end()
    await once(socket.resume(), 'close')
  }

  async function callConsole(token: string): Promise<void> {
    const url = `${service.baseUrl}/console/session.me?input=strayed-secret`
    await call(url, { headers: { authorization: `Bearer ${token}` } })
    await call(url, { headers: { 'x-tenant-api-key': tenant.apiKey } })
    await call(`${service.baseUrl}/console/strayed-secret`, { method: 'POST', raw: '{"strayed-secret' })
  }

  async function callDuringOutages(
    session: { sessionId: string; vendorData: string },
    birth: Record<string, unknown>,
    token: string,
  ): Promise<void> {
    const client = tenantClient(service, tenant)
    const person = { userAgent: 'Mozilla/PersonalAgent', ip: '203.0.113.201' }
    for (const mode of ['unreachable', 'garbage', 'wrong-signature', 'error-400', 'error-500']) {
      await providerMode(mode, mode)
      const response = await client.start(person, { 'idempotency-key': 'personal-idempotency-key-2' })
      expect(response.status).to.equal(500)
    }
    await providerMode('ok')
    await setReachable(database.url, false)
    await client.start(person, { 'idempotency-key': 'personal-idempotency-key' })
    await client.validate(token)
    await client.submit(session.vendorData)
    const response = await sendCallback(service, decisionOn(session, 'approved', birth))
    expect(response.status).to.equal(500)
    await setReachable(database.url, true)
  }
})

function around(text: string, secret: string): string {
  const at = text.indexOf(secret)
  return text.slice(Math.max(0, at - 300), at + secret.length + 100)
}
