import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { ApiKey } from '#domain/api-key/api-key.entity.ts'
import { apiKeyScopes } from '#domain/api-key/api-key.policy.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import { listApiKeys } from '#domain/api-key/list-api-keys.ts'
import { recordKeyUse } from '#domain/api-key/record-key-use.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { listAuditEvents } from '#domain/audit-event/list-audit-events.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { type Administration, openAdministration, owner } from './administration.ts'
import { refused } from './rejected.ts'

describe('API keys', () => {
  let here: Administration
  let tenantId: string
  before(async () => {
    here = await openAdministration()
  })
  after(() => here.close())
  beforeEach(async () => {
    tenantId = (await createTenant(here.operator(), { name: 'Shop' })).id
    here.announced.splice(0)
  })

  const create = (input: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
    createApiKey(here.operator(), { tenantId, name: 'web', ...input })
  const hashOf = (value: string) => createHash('sha256').update(value).digest('hex')

  it('are shown once and stored as a hash only', async () => {
    const { key, value } = await create()
    expect(value).to.match(/^avk_[0-9A-Za-z]{49}$/)
    expect(key).to.include({ displayStart: value.slice(0, 12), hash: hashOf(value), revokedAt: null })
    const { items } = await listAuditEvents(here.operator(), { tenantId })
    const listed = await listApiKeys(here.operator(), { tenantId })
    expect(JSON.stringify([items, listed])).not.to.include(value.slice(12))
    expect(await findKeyAccess(here.database.pool, hashOf(value))).to.include({ tenantId, apiKeyId: key.id })
  })

  it('have all scopes unless some are named, each once', async () => {
    expect((await create()).key.scopes).to.deep.equal([...apiKeyScopes])
    const { key } = await create({ scopes: ['tokens:validate', 'tokens:validate'] })
    expect(key.scopes).to.deep.equal(['tokens:validate'])
    await refused(create({ scopes: ['everything' as 'tokens:validate'] }), 'INVALID_PARAMETERS')
    await refused(create({ scopes: [] }), 'INVALID_PARAMETERS')
  })

  it('of members can’t expire in the past; an operator may make one that has', async () => {
    const expiresAt = new Date(here.time.now.getTime() - 1)
    const member = here.scope(owner(tenantId))
    await refused(createApiKey(member, { tenantId, name: 'web', expiresAt }), 'INVALID_PARAMETERS')
    expect((await create({ expiresAt })).key.isLive(here.time.now)).to.equal(false)
    await refused(create({ expiresAt: new Date('nonsense') }), 'INVALID_PARAMETERS')
  })

  it('are gone for everybody once revoked, and the announcement can be repeated', async () => {
    const { key, value } = await create()
    const revoked = await revokeApiKey(here.operator(), { apiKeyId: key.id })
    expect(revoked.revokedAt).to.deep.equal(here.time.now)
    expect(here.announced).to.deep.equal([tenantId])
    expect(await findKeyAccess(here.database.pool, hashOf(value))).to.equal(undefined)
    const first = here.time.now
    here.time.now = new Date(first.getTime() + 1_000)
    expect((await revokeApiKey(here.operator(), { apiKeyId: key.id, tenantId })).revokedAt).to.deep.equal(
      first,
    )
    expect(here.announced).to.deep.equal([tenantId, tenantId])
    const { items } = await listAuditEvents(here.operator(), { tenantId })
    expect(items.filter(event => event.action === 'api_key.revoke')).to.have.length(1)
  })

  it('of another tenant are as unknown as those that never were', async () => {
    const other = await createTenant(here.operator(), { name: 'Other' })
    const { key, value } = await createApiKey(here.operator(), { tenantId: other.id, name: 'theirs' })
    for (const apiKeyId of [key.id, '01a00000-0000-7000-8000-000000000000', 'nonsense']) {
      const refusal = await refused(
        revokeApiKey(here.operator(), { apiKeyId, tenantId }),
        'INVALID_PARAMETERS',
      )
      expect(refusal.message).to.equal(`No key has the id ${apiKeyId}.`)
    }
    expect(here.announced).to.deep.equal([])
    expect(await findKeyAccess(here.database.pool, hashOf(value))).to.include({ apiKeyId: key.id })
    expect(await listApiKeys(here.operator(), { tenantId })).to.deep.equal([])
  })

  it('remember their last use to the minute, never backwards, and only their own', async () => {
    const [one, two, three] = [await create(), await create(), await create()]
    const use = (...uses: [string, string][]) =>
      recordKeyUse(
        here.database.pool,
        uses.map(([apiKeyId, at]) => ({ tenantId, apiKeyId, at: new Date(at) })),
      )
    await use([one.key.id, '2026-11-20T12:34:56.789Z'], [two.key.id, '2026-11-20T12:00:00Z'])
    await use([one.key.id, '2026-11-20T12:33:59Z'], [two.key.id, '2026-11-20T12:01:00Z'])
    await use()
    const keys = await here.operator().em.find(ApiKey, { tenantId })
    const lastUsed = (id: string) => keys.find(key => key.id === id)?.lastUsedAt?.toISOString()
    expect(lastUsed(one.key.id)).to.equal('2026-11-20T12:34:00.000Z')
    expect(lastUsed(two.key.id)).to.equal('2026-11-20T12:01:00.000Z')
    expect(lastUsed(three.key.id)).to.equal(undefined)
  })

  it('can be recorded by many processes at once, in any order', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => create()))
    const uses = keys.map(({ key }) => ({ tenantId, apiKeyId: key.id, at: here.time.now }))
    const orders = Array.from({ length: 10 }, (_, index) => (index % 2 ? uses : uses.toReversed()))
    await Promise.all(orders.map(order => recordKeyUse(here.database.pool, order)))
    expect(await here.operator().em.count(ApiKey, { tenantId, lastUsedAt: null })).to.equal(0)
  })
})
