import { expect } from 'chai'
import { startSignInProvider } from '#test/console-api/sign-in-provider.ts'
import { eventually } from '../harness/eventually.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useService, useTenant } from '../harness/use-service.ts'

const concurrentRequests = 8
/** More than a user may run at the same time, and more than there are places. */
const many = 20

describe('A signed-in user', () => {
  const signIn = useOpened(() => startSignInProvider(() => new Date()))
  const service = useService(() => ({
    issuer: signIn.issuer,
    env: { MAX_CONCURRENT_REQUESTS: String(concurrentRequests) },
  }))
  const tenant = useTenant(service)
  let authorization: string
  before(async () => {
    await tenantClient(service, tenant).start()
    authorization = `Bearer ${await signIn.sign({ sub: 'newcomer' })}`
  })

  const counts = () => service.services.concurrency.counts()
  const me = () => call(`${service.baseUrl}/console/session.me`, { headers: { authorization } })

  async function expectServed(): Promise<void> {
    const { status } = await tenantClient(service, tenant).status('01a00000-0000-7000-8000-000000000000')
    expect(status).to.equal(404)
  }

  it('holds no place with calls that wait for its own earlier ones, in a batch or not', async () => {
    const { pool } = service.services.database
    const locking = await pool.connect()
    await locking.query({ name: '', text: 'begin', values: [] })
    await locking.query({ name: '', text: 'lock table member in access exclusive mode', values: [] })
    const batch = `session.me${',session.me'.repeat(many - 1)}?batch=1`
    const calls = [
      ...Array.from({ length: many }, () => me()),
      call(`${service.baseUrl}/console/${batch}`, { headers: { authorization } }),
    ]
    try {
      await eventually(() => counts().idle >= many)
      await expectServed()
    } finally {
      await locking.query({ name: '', text: 'rollback', values: [] })
      locking.release()
    }
    for (const { status } of await Promise.all(calls)) expect(status).to.equal(200)
    expect(counts()).to.deep.equal({ working: 0, queued: 0, idle: 0 })
  })

  it('gets errors of a body after those of the sign-in, in the shape of its other errors', async () => {
    const post = (headers: Record<string, string>, raw: string) =>
      call(`${service.baseUrl}/console/session.saveProfile`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        raw,
      })
    const large = JSON.stringify({ idToken: 'x'.repeat(100_000) })
    const unknown = await post({}, large)
    expect([unknown.status, unknown.body.error.data.error]).to.deep.equal([401, 'UNAUTHENTICATED_TENANT'])
    const rejected = await post({ authorization }, large)
    expect([rejected.status, rejected.body.error.data.error]).to.deep.equal([400, 'INVALID_REQUEST_BODY'])
    expect(rejected.body.error.data.details.issues).to.deep.equal([
      { path: '', message: 'must be at most 65536 bytes' },
    ])
    const utf16 = await post({ authorization, 'content-type': 'application/json; charset=utf-16' }, '{}')
    expect([utf16.status, utf16.body.error.data.error]).to.deep.equal([400, 'INVALID_REQUEST_BODY'])
    expect(utf16.body.error.data.details.issues).to.have.nested.property('0.path', 'Content-Type')
  })
})
