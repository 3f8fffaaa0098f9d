import { expect } from 'chai'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { forTenant } from '#domain/scope.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError, expectIssueAt, expectRateLimitHeaders } from '../harness/expect-error.ts'
import { type ApiResponse, tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

describe('GET /verifications', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  const list = (query = '') => client.send(`/verifications${query}`)
  async function untilListed(count: number, query = ''): Promise<ApiResponse> {
    const response = await list(query)
    expect(response.body.items).to.have.length(count)
    return response
  }
  const waiting = (count: number) => eventually(() => service.waits.count === count)
  afterEach(() => expect(service.waits.count).to.equal(0))

  /** The status as it is listed. */
  async function listed(verificationId: string, updatedAt: 'completedAt' | 'tokenRevokedAt' = 'completedAt') {
    const { token, ...status } = (await client.status(verificationId)).body
    return { ...status, updatedAt: status[updatedAt] }
  }

  it('lists completions as status has them, without the token, in pages from the oldest on', async () => {
    const completed = [
      await client.decided('approve-adult'),
      await client.decided('approve-minor'),
      await client.decided('decline'),
    ]
    await client.start()
    const all = await untilListed(3)
    expect(all.status).to.equal(200)
    expectRateLimitHeaders(all, true)
    expect(all.body).to.have.all.keys('items', 'next')
    expect(all.body.items).to.deep.equal(await Promise.all(completed.map(id => listed(id))))
    expect(all.body.items[0]).not.to.have.property('token')
    const first = await list('?limit=2')
    expect(first.body.items).to.deep.equal(all.body.items.slice(0, 2))
    const then = await list(`?limit=2&after=${first.body.next}`)
    expect(then.body).to.deep.equal({ items: all.body.items.slice(2), next: all.body.next })
    const none = await list(`?after=${all.body.next}`)
    expect(none.body).to.deep.equal({ items: [], next: all.body.next })
  })

  it('answers a tenant without completions with a cursor to go on with, and never has another one’s', async () => {
    const other = tenantClient(service, await createTestTenant(service))
    const none = await other.send('/verifications')
    await client.decided('approve-adult')
    const { next } = (await untilListed(1)).body
    const after = await other.send(`/verifications?after=${none.body.next}`)
    expect(after.body).to.deep.equal(none.body)
    expectIssueAt(await other.send(`/verifications?after=${next}`), 'after', 'INVALID_PARAMETERS')
    expectIssueAt(await list(`?after=${none.body.next}`), 'after', 'INVALID_PARAMETERS')
  })

  it('waits for the next completion', async () => {
    const { next } = (await list()).body
    const response = list(`?after=${next}&wait=60`)
    await waiting(1)
    const verificationId = await client.decided('approve-adult')
    expect((await response).body.items).to.deep.equal([await listed(verificationId)])
    await waiting(0)
  })

  it('answers at the end of the wait, and refuses a key that was revoked meanwhile', async () => {
    const { next } = (await list()).body
    expect((await list(`?after=${next}&wait=1`)).body).to.deep.equal({ items: [], next })
    const response = list('?wait=60')
    await waiting(1)
    const scope = forTenant(service.operator(), tenant.tenantId)
    await revokeApiKey(scope, { apiKeyId: tenant.apiKeyId })
    expectError(await response, 'UNAUTHENTICATED_TENANT')
  })

  it('has test verifications for test keys', async () => {
    const test = tenantClient(service, await createTestTenant(service, { test: true }))
    const { verificationId } = (await test.start()).body
    await test.choose(verificationId, 'minor')
    const { items } = (await test.send('/verifications?wait=60')).body
    expect(items).to.have.length(1)
    expect(items[0]).to.deep.include({ verificationId, over18: false })
  })

  it('rejects what is no cursor, no limit, or no parameter of its own', async () => {
    const cursor = (await list()).body.next
    const bad = {
      after: ['', 'x', '-1', '1.5', ' 1', '1e3', '1'.repeat(19), 'latest', `${cursor}0`],
      limit: ['', '0', '101', '1e1', '-1', '01', ' 1', '1.5'],
      wait: ['', '61', '-1'],
    }
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const response = await list(`?${new URLSearchParams({ [name]: value })}`)
        expectIssueAt(response, name, 'INVALID_PARAMETERS')
      }
    }
    expectError(await list(`?after=${cursor}&after=${cursor}`), 'INVALID_PARAMETERS')
    expectError(await list('?cursor=1'), 'INVALID_PARAMETERS')
    expect((await list(`?after=${cursor}&limit=100&wait=0`)).status).to.equal(200)
  })
})
