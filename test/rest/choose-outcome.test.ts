import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { decodeJwt } from 'jose'
import { pollProvider } from '#domain/verification/poll-provider.ts'
import { expectError, expectIssueAt } from '../harness/expect-error.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('POST /test/verifications/{id}/outcome', () => {
  const service = useService()
  const tenant = useTenant(service, { test: true })
  const client = () => tenantClient(service, tenant)
  const start = async (json?: object) => (await client().start(json)).body
  const choose = (id: string, outcome: string, more: object = {}) =>
    client().send(`/test/verifications/${id}/outcome`, { method: 'POST', json: { outcome, ...more } })
  const poll = () => pollProvider(service.services.scopeFor({ kind: 'service' }))

  const outcomes: [string, status: string, over18?: boolean | null][] = [
    ['adult', 'approved', true],
    ['minor', 'approved', false],
    ['unknown_age', 'approved', null],
    ['denied', 'denied', null],
    ['expired', 'rejected', null],
    ['abandoned', 'rejected', null],
    ['resubmission', 'resubmission'],
    ['in_review', 'submitted'],
    ['provider_down', 'pending'],
  ]
  const document = readFileSync('docs/testing.md', 'utf8')
  for (const [outcome, status, over18] of outcomes) {
    it(`decides ${outcome} as ${status}, as the document says, and responds with the status after that`, async () => {
      const { verificationId } = await start()
      const { status: code, body } = await choose(verificationId, outcome)
      expect(code).to.equal(200)
      expect(body).to.include({ verificationId, status })
      expect(body.over18).to.equal(over18)
      const row = document.split('\n').find(line => line.startsWith(`| \`${outcome}\` | `))
      const cells = `| \`${status}\` | ${over18 === undefined ? 'absent' : `\`${over18}\``} |`
      expect(row?.endsWith(cells), row).to.not.equal(false)
      expect((await client().status(verificationId)).body).to.deep.equal(body)
    })
  }

  it('gives a token of test tenants only, and takes it back by a correction; nothing else changes a result', async () => {
    const { verificationId } = await start()
    const { body } = await choose(verificationId, 'adult')
    expect(decodeJwt(body.token)).to.include({ iss: `${service.baseUrl}/test`, sub: verificationId })
    expect((await client().validate(body.token)).body).to.include({ valid: true })
    expectError(await choose(verificationId, 'minor'), 'VERIFICATION_ALREADY_COMPLETED')
    const { body: corrected } = await choose(verificationId, 'denied')
    expect(corrected).to.include({ status: 'approved', over18: null }).and.have.property('tokenRevokedAt')
    expect((await client().validate(body.token)).body).to.include({ valid: false, reason: 'TOKEN_REVOKED' })
  })

  it('is found by a poll when its callback is lost, as after a process was killed', async () => {
    const { verificationId } = await start()
    expect((await choose(verificationId, 'minor', { lostCallback: true })).body.status).to.equal('pending')
    await client().submit(verificationId)
    await poll()
    expect((await client().status(verificationId)).body).to.include({ status: 'approved', over18: false })
  })

  it('takes the provider down for one verification, until another outcome is chosen', async () => {
    const { verificationId } = await start()
    await choose(verificationId, 'provider_down')
    await client().submit(verificationId)
    await poll()
    expect((await client().status(verificationId)).body.status).to.equal('pending')
    expect((await choose(verificationId, 'adult')).body.status).to.equal('approved')
  })

  it('lets a start fail as while the provider is down, with a user agent for that', async () => {
    const failed = await client().start({ userAgent: 'provider_down' })
    expectError(failed, 'INTERNAL_ERROR')
    expect(failed.body.details).to.deep.equal({ dependency: 'identity_provider' })
    const live = tenantClient(service, await createTestTenant(service))
    expect((await live.start({ userAgent: 'provider_down' })).status).to.equal(201)
  })

  it('is not for live tenants, for verifications of others, or without a known outcome', async () => {
    const { verificationId } = await start()
    const path = `/test/verifications/${verificationId}/outcome`
    const live = tenantClient(service, await createTestTenant(service))
    const { body } = await live.start()
    const json = { outcome: 'adult' }
    for (const target of [path, path.replace(verificationId, body.verificationId)]) {
      const refused = await live.send(target, { method: 'POST', json })
      expectError(refused, 'FORBIDDEN')
      expect(refused.body.message).to.contain('avk_test_')
    }
    const other = tenantClient(service, await createTestTenant(service, { test: true }))
    expectError(await other.send(path, { method: 'POST', json }), 'VERIFICATION_NOT_FOUND')
    expectError(await choose(body.verificationId, 'adult'), 'VERIFICATION_NOT_FOUND')
    expectIssueAt(await choose('x', 'adult'), 'id', 'INVALID_PARAMETERS')
    expectError(await choose(verificationId, 'approve-adult'), 'INVALID_REQUEST_BODY')
    expect((await client().status(verificationId)).body.status).to.equal('pending')
  })

  it('is offered by the hosted page, which only its link opens', async () => {
    const { verificationId, sessionUrl } = await start()
    expect(sessionUrl).to.match(new RegExp(`^${service.baseUrl}/test/sessions/[\\w-]{43}$`))
    expect((await call(sessionUrl)).body).to.contain('It is not Veriff')
    expect((await client().status(verificationId)).body.status).to.equal('started')
    const post = (path: string, raw = '') => call(`${sessionUrl}/${path}`, { method: 'POST', raw })
    expect((await post('submit')).headers.get('location')).to.contain('/status')
    expect((await post('decide', 'outcome=approve-minor')).status).to.equal(303)
    expect((await client().status(verificationId)).body).to.include({ status: 'approved', over18: false })
    const unknown = await call(sessionUrl.replace(/.$/, (last: string) => (last === 'a' ? 'b' : 'a')))
    expect(unknown.status).to.equal(404)
    expect((await call(`${service.baseUrl}/test/sessions/page.css`)).status).to.equal(200)
    // The session's token is not stored.
    const { rows } = await service.services.database.pool.query({
      name: '',
      text: 'select s::text as row from simulated_session s where verification_id = $1',
      values: [verificationId],
    })
    expect(rows).to.have.length(1)
    expect(JSON.stringify(rows)).to.not.contain(sessionUrl.split('/').at(-1))
  })
})
