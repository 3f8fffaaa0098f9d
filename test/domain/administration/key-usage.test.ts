import { expect } from 'chai'
import { noKeyCounts } from '#domain/api-key/api-key.policy.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { deleteEndedKeys } from '#domain/api-key/delete-ended-keys.ts'
import { countRecentRequests, listDailyRequests, listKeyUsage } from '#domain/api-key/list-key-usage.ts'
import { type KeyRequests, recordKeyRequests } from '#domain/api-key/record-key-requests.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { newId } from '#domain/ids.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { dayMs } from '../../harness/scope.ts'
import { useFixture } from './fixture.ts'
import { rejected } from './rejected.ts'

describe('The requests of API keys', () => {
  const start = new Date('2026-11-20T12:00:00.000Z')
  const none = noKeyCounts
  const fixture = useFixture()
  let tenantId: string
  beforeEach(async () => {
    fixture.time.now = start
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  const operator = () => fixture.operatorFor(tenantId)
  const addKey = async () => (await createApiKey(operator(), { name: 'web' })).key
  const record = (...counts: (Partial<KeyRequests> & { apiKeyId: string; day: string })[]) =>
    recordKeyRequests(
      fixture.database.pool,
      counts.map(each => ({ tenantId, ...none, ...each })),
    )
  const usageOf = (apiKeyId: string, period: { from?: string; to?: string } = {}) =>
    listKeyUsage(operator(), { apiKeyId, ...period })

  it('are counted by endpoint, failure and day, and listed with every day of the period', async () => {
    const { id: apiKeyId } = await addKey()
    await record({ apiKeyId, day: '2026-11-19', starts: 2, statusReads: 7, clientErrors: 3 })
    await record(
      { apiKeyId, day: '2026-11-19', starts: 1, validations: 4, clientErrors: 1, rateLimited: 2 },
      { apiKeyId, day: '2026-11-20', submits: 1 },
    )
    await record()
    expect(await usageOf(apiKeyId, { from: '2026-11-18', to: '2026-11-20' })).to.deep.equal([
      { day: '2026-11-18', ...none },
      {
        day: '2026-11-19',
        ...none,
        starts: 3,
        statusReads: 7,
        validations: 4,
        clientErrors: 4,
        rateLimited: 2,
      },
      { day: '2026-11-20', ...none, submits: 1 },
    ])
    const days = (await usageOf(apiKeyId)).map(({ day }) => day)
    expect([days.length, days[0], days.at(-1)]).to.deep.equal([30, '2026-10-22', '2026-11-20'])
    await rejected(usageOf(apiKeyId, { from: '2025-01-01' }), 'INVALID_PARAMETERS')
    await rejected(usageOf(apiKeyId, { from: '2026-11-21' }), 'INVALID_PARAMETERS')
  })

  it('are added up over the last 30 days, today included', async () => {
    const [one, two, three] = [await addKey(), await addKey(), await addKey()]
    await record(
      {
        apiKeyId: one.id,
        day: '2026-11-20',
        starts: 1,
        statusReads: 2,
        submits: 3,
        completes: 4,
        validations: 5,
        rateLimited: 6,
      },
      { apiKeyId: one.id, day: '2026-10-22', starts: 2 ** 31 - 1, statusReads: 2 ** 31 - 1 },
      { apiKeyId: two.id, day: '2026-10-21', starts: 9 },
    )
    const counted = await countRecentRequests(operator(), [one, two, three])
    const requests = 15 + 2 * (2 ** 31 - 1)
    expect([...counted]).to.deep.equal([[one.id, { requests, rateLimited: 6, clientErrors: 0 }]])
    const daily = [2 * (2 ** 31 - 1), ...Array.from({ length: 28 }, () => 0), 15]
    expect([...(await listDailyRequests(operator(), [one, two, three]))]).to.deep.equal([[one.id, daily]])
  })

  it('of another tenant and of unknown keys are not there', async () => {
    const { id: apiKeyId } = await addKey()
    await record({ apiKeyId, day: '2026-11-20', starts: 1 })
    const other = await createTenant(fixture.operator(), { name: 'Other' })
    const theirs = fixture.operatorFor(other.id)
    for (const id of [apiKeyId, newId(start), 'nonsense']) {
      const { message } = await rejected(listKeyUsage(theirs, { apiKeyId: id }), 'INVALID_PARAMETERS')
      expect(message).to.equal(`No key has the id ${id}.`)
    }
    await recordKeyRequests(fixture.database.pool, [
      { tenantId: other.id, apiKeyId, day: '2026-11-20', ...none, starts: 5 },
    ])
    expect((await usageOf(apiKeyId)).at(-1)).to.include({ starts: 1 })
  })

  it('can be counted by many processes concurrently, in any order', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, addKey))
    const counts = keys.map(({ id }) => ({ apiKeyId: id, day: '2026-11-20', starts: 1 }))
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => record(...(index % 2 ? counts : counts.toReversed()))),
    )
    const counted = await countRecentRequests(operator(), keys)
    expect([...counted.values()].map(({ requests }) => requests)).to.deep.equal(Array(20).fill(10))
  })

  it('are deleted after 400 days, and with their key', async () => {
    const [live, ended] = [await addKey(), await addKey()]
    await revokeApiKey(operator(), { apiKeyId: ended.id })
    for (const { id: apiKeyId } of [live, ended])
      await record({ apiKeyId, day: '2026-11-20', starts: 1 }, { apiKeyId, day: '2026-11-21', starts: 1 })
    const stored = async () => {
      while (await deleteEndedKeys(fixture.scope({ kind: 'service' })));
      return await fixture
        .operator()
        .em.execute(
          'select api_key_id as id, day::text from api_key_usage where tenant_id = ? order by 1, 2',
          [tenantId],
        )
    }
    expect(await stored()).to.have.length(4)
    fixture.time.now = new Date(start.getTime() + 90 * dayMs)
    const days = ['2026-11-20', '2026-11-21'].map(day => ({ id: live.id, day }))
    expect(await stored()).to.deep.equal(days)
    fixture.time.now = new Date('2027-12-24T23:59:59.000Z')
    expect(await stored()).to.deep.equal(days)
    fixture.time.now = new Date('2027-12-25T00:00:00.000Z')
    expect(await stored()).to.deep.equal(days.slice(1))
    await record({ apiKeyId: ended.id, day: '2026-11-21', starts: 1 })
    expect(await stored()).to.deep.equal(days.slice(1))
  })
})
