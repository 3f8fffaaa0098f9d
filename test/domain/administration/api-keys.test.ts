import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { ApiKey } from '#domain/api-key/api-key.entity.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { deleteEndedKeys } from '#domain/api-key/delete-ended-keys.ts'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import { findKeyCreators } from '#domain/api-key/find-key-creators.ts'
import { listApiKeys } from '#domain/api-key/list-api-keys.ts'
import { recordKeyUse } from '#domain/api-key/record-key-use.ts'
import { replaceApiKey } from '#domain/api-key/replace-api-key.ts'
import { revokeApiKey } from '#domain/api-key/revoke-api-key.ts'
import { listAuditEvents } from '#domain/audit/list-audit-events.ts'
import { newId } from '#domain/ids.ts'
import { removeMember } from '#domain/member/remove-member.ts'
import { saveProfile } from '#domain/member/save-profile.ts'
import { apiKeyScopes } from '#domain/permissions.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { failuresInWaves } from '../../harness/in-waves.ts'
import { dayMs, memberIssuer, owner, useFixture, user } from './fixture.ts'
import { storeOwner } from './history.ts'
import { rejected } from './rejected.ts'

describe('API keys', () => {
  const fixture = useFixture()
  let tenantId: string
  const operator = () => fixture.operatorFor(tenantId)
  beforeEach(async () => {
    tenantId = (await createTenant(fixture.operator(), { name: 'Shop' })).id
  })

  const create = (input: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
    createApiKey(operator(), { name: 'web', ...input })
  /** Stores keys of the tenant in addition, which are live or were revoked. */
  const storeKeys = (count: number, revokedAt: Date | null = null) =>
    fixture.operator().em.execute(
      `insert into api_key (tenant_id, id, name, hash, display_start, scopes, created_at, revoked_at)
       select ?::uuid, overlay(gen_random_uuid()::text placing ? from 1 for 15)::uuid, 'stored', gen_random_uuid()::text,
         '', '{}', ?::timestamptz, ?::timestamptz from generate_series(1, ?::int)`,
      [tenantId, newId(fixture.time.now).slice(0, 15), fixture.time.now, revokedAt, count],
    )
  const list = async () => (await listApiKeys(operator())).items
  const hashOf = (value: string) => createHash('sha256').update(value).digest('hex')
  const accessOf = async (value: string) =>
    (await findKeyAccess(fixture.database.pool, hashOf(value)))?.access

  it('are returned once and stored only as a hash', async () => {
    const { key, value } = await create()
    expect(value).to.match(/^avk_[0-9A-Za-z]{49}$/)
    expect(key).to.include({ displayStart: value.slice(0, 12), hash: hashOf(value), revokedAt: null })
    const { items } = await listAuditEvents(operator())
    const listed = await list()
    expect(JSON.stringify([items, listed])).not.to.include(value.slice(12))
    expect(await accessOf(value)).to.include({
      tenantId,
      apiKeyId: key.id,
    })
  })

  it('have all scopes by default, and otherwise the requested ones without duplicates', async () => {
    expect((await create()).key.scopes).to.deep.equal([...apiKeyScopes])
    const { key } = await create({ scopes: ['tokens:validate', 'tokens:validate'] })
    expect(key.scopes).to.deep.equal(['tokens:validate'])
    await rejected(create({ scopes: ['everything' as 'tokens:validate'] }), 'INVALID_PARAMETERS')
    await rejected(create({ scopes: [] }), 'INVALID_PARAMETERS')
  })

  it('cannot expire in the past, whoever creates them', async () => {
    const { now } = fixture.time
    const member = fixture.scope(owner(tenantId))
    await rejected(createApiKey(member, { name: 'web', expiresAt: now }), 'INVALID_PARAMETERS')
    await rejected(create({ expiresAt: now }), 'INVALID_PARAMETERS')
    expect(await list()).to.deep.equal([])
    expect((await create({ expiresAt: new Date(now.getTime() + 1) })).key.isLive(now)).to.equal(true)
    await rejected(create({ expiresAt: new Date('nonsense') }), 'INVALID_PARAMETERS')
  })

  it('stop working when revoked, and revoking again changes and records nothing', async () => {
    const { key, value } = await create()
    const revoked = await revokeApiKey(operator(), { apiKeyId: key.id })
    expect(revoked.revokedAt).to.deep.equal(fixture.time.now)
    expect(await accessOf(value)).to.include({ revoked: true })
    const first = fixture.time.now
    fixture.time.now = new Date(first.getTime() + 1_000)
    const again = await revokeApiKey(operator(), { apiKeyId: key.id })
    expect(again.revokedAt).to.deep.equal(first)
    const { items } = await listAuditEvents(operator())
    expect(items.filter(event => event.action === 'api_key.revoke')).to.have.length(1)
  })

  it('are at most 100 live ones per tenant, also when they are created concurrently', async () => {
    await storeOwner(fixture.operator(), tenantId)
    const member = fixture.scope(owner(tenantId))
    const soon = new Date(fixture.time.now.getTime() + 1_000)
    await create({ expiresAt: soon })
    await storeKeys(79)
    const failures = await failuresInWaves(31, index =>
      index % 2 ? create() : createApiKey({ ...member, em: member.em.fork() }, { name: 'web' }),
    )
    expect(failures).to.have.length(11)
    for (const failure of failures) {
      const { message } = await rejected(Promise.reject(failure), 'NOT_PROVISIONED')
      expect(message).to.include('100 live API keys')
    }
    // A revoked and an expired key make place for one each.
    const { id: apiKeyId } = (await list()).find(key => !key.expiresAt)!
    await revokeApiKey(operator(), { apiKeyId })
    await create()
    await rejected(create(), 'NOT_PROVISIONED')
    fixture.time.now = soon
    await create()
    await rejected(create(), 'NOT_PROVISIONED')
  })

  it('are created at most 1,000 times within 24 hours per tenant, by replacement too, whatever became of them', async () => {
    const { key } = await create()
    const { now } = fixture.time
    await storeKeys(998, now)
    const replace = () => replaceApiKey(operator(), { apiKeyId: key.id })
    await replace()
    const stored = () => fixture.operator().em.count(ApiKey, { tenantId })
    for (const create1001 of [create, replace]) {
      const { message } = await rejected(create1001(), 'NOT_PROVISIONED')
      expect(message).to.include('created 1,000 API keys within 24 hours')
    }
    expect(await stored()).to.equal(1_000)
    const other = await createTenant(fixture.operator(), { name: 'Other' })
    await createApiKey(fixture.operatorFor(other.id), { name: 'theirs' })
    fixture.time.now = new Date(now.getTime() + dayMs + 1)
    await create()
    fixture.time.now = now
  })

  it('are listed until 90 days after they were revoked or expired, and then deleted', async () => {
    const start = fixture.time.now
    const at = (days: number) => {
      fixture.time.now = new Date(start.getTime() + days * dayMs)
    }
    await create({ name: 'live' })
    at(1)
    await create({
      name: 'expired',
      expiresAt: new Date(start.getTime() + 2 * dayMs),
    })
    at(2)
    const { key: revoked } = await create({ name: 'revoked' })
    at(3)
    await revokeApiKey(operator(), { apiKeyId: revoked.id })
    const listed = async () => (await list()).map(key => key.name)
    expect(await listed()).to.deep.equal(['revoked', 'expired', 'live'])
    at(92)
    expect(await listed()).to.deep.equal(['revoked', 'live'])
    const stored = async () => {
      while (await deleteEndedKeys(fixture.scope({ kind: 'service' })));
      const found = await fixture.operator().em.find(ApiKey, { tenantId }, { orderBy: { id: 'desc' } })
      return found.map(key => key.name)
    }
    expect(await stored()).to.deep.equal(['revoked', 'live'])
    at(93)
    expect(await listed()).to.deep.equal(['live'])
    expect(await stored()).to.deep.equal(['live'])
    fixture.time.now = start
  })

  it('are replaced by one of the same name, scopes and lifetime, and end after the overlap', async () => {
    const { now } = fixture.time
    const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
    const { key } = await create({ name: 'shop', scopes: ['tokens:validate'] })
    const replaced = await replaceApiKey(operator(), { apiKeyId: key.id })
    expect(replaced.key).to.include({ name: 'shop', expiresAt: null, lastUsedAt: null })
    expect(replaced.key.scopes).to.deep.equal(['tokens:validate'])
    expect(await accessOf(replaced.value)).to.include({
      apiKeyId: replaced.key.id,
    })
    expect(replaced.previous).to.deep.include({ id: key.id, expiresAt: inHours(24), revokedAt: null })
    const { items } = await listAuditEvents(operator(), { action: 'api_key.replace' })
    expect(items.map(({ target, changes }) => ({ target, changes }))).to.deep.equal([
      {
        target: key.id,
        changes: { name: 'shop', replacement: replaced.key.id, overlapHours: 24, expiresAt: null },
      },
    ])
    expect(JSON.stringify(items)).not.to.include(replaced.value.slice(12))
    const { key: ending } = await create({ expiresAt: inHours(2) })
    const second = await replaceApiKey(operator(), {
      apiKeyId: ending.id,
      overlapHours: 168,
    })
    expect(second.previous.expiresAt).to.deep.equal(inHours(2))
    expect(second.key.expiresAt).to.deep.equal(inHours(2))
  })

  it('name who created them, or replaced another one, also when the person has left or the operator did it', async () => {
    for (const subject of ['olivia', 'oscar', 'vera']) await storeOwner(fixture.operator(), tenantId, subject)
    const { key: first } = await createApiKey(fixture.scope(owner(tenantId)), { name: 'first' })
    const vera = fixture.scope(owner(tenantId, 'vera'))
    const { key: second } = await replaceApiKey(vera, { apiKeyId: first.id })
    const { key: third } = await create()
    await storeKeys(1)
    await saveProfile(fixture.scope(user('olivia')), { name: 'Olivia Owner', email: undefined })
    await removeMember(fixture.scope(owner(tenantId)), { subject: 'vera' })
    const creatorOf = await findKeyCreators(operator(), await list())
    const issuer = memberIssuer
    const olivia = { kind: 'member', issuer, subject: 'olivia', name: 'Olivia Owner', isMember: true }
    expect(creatorOf(first)).to.deep.equal(olivia)
    expect(creatorOf(second)).to.deep.equal({ ...olivia, subject: 'vera', name: null, isMember: false })
    expect(creatorOf(third)).to.deep.equal({ kind: 'operator' })
    const unknown = (await list()).filter(({ name }) => name === 'stored')
    expect(unknown.map(creatorOf)).to.deep.equal([null])
  })

  it('are revoked at once when they are replaced without an overlap, which is how the hundredth is replaced', async () => {
    const { key, value } = await create()
    await storeKeys(99)
    const replace = (overlapHours: number) => replaceApiKey(operator(), { apiKeyId: key.id, overlapHours })
    await rejected(replace(1), 'NOT_PROVISIONED')
    const [unchanged] = await fixture.operator().em.find(ApiKey, { tenantId, id: key.id })
    expect(unchanged).to.include({ expiresAt: null, revokedAt: null })
    const { previous } = await replace(0)
    expect(previous.revokedAt).to.deep.equal(fixture.time.now)
    expect(await accessOf(value)).to.include({ revoked: true })
    await rejected(replace(0), 'NOT_PROVISIONED')
    await rejected(create(), 'NOT_PROVISIONED')
  })

  it('that are unknown, of another tenant or have ended cannot be replaced, nor with another overlap', async () => {
    const other = await createTenant(fixture.operator(), { name: 'Other' })
    const { key: theirs } = await createApiKey(fixture.operatorFor(other.id), { name: 'theirs' })
    const { key } = await create()
    const replace = (apiKeyId: string, overlapHours?: number) =>
      replaceApiKey(operator(), { apiKeyId, overlapHours })
    for (const apiKeyId of [theirs.id, '01a00000-0000-7000-8000-000000000000', 'nonsense']) {
      const { message } = await rejected(replace(apiKeyId), 'INVALID_PARAMETERS')
      expect(message).to.equal(`No key has the id ${apiKeyId}.`)
    }
    for (const hours of [-1, 0.5, 169, Number.NaN])
      await rejected(replace(key.id, hours), 'INVALID_PARAMETERS')
    await revokeApiKey(operator(), { apiKeyId: key.id })
    await rejected(replace(key.id), 'NOT_PROVISIONED')
    expect(await list()).to.have.length(1)
  })

  it('store when they were last used, to the minute and never backwards', async () => {
    const [one, two, three] = [await create(), await create(), await create()]
    const use = (...uses: [string, string][]) =>
      recordKeyUse(
        fixture.database.pool,
        uses.map(([apiKeyId, at]) => ({ tenantId, apiKeyId, at: new Date(at) })),
      )
    await use([one.key.id, '2026-11-20T12:34:56.789Z'], [two.key.id, '2026-11-20T12:00:00Z'])
    await use([one.key.id, '2026-11-20T12:33:59Z'], [two.key.id, '2026-11-20T12:01:00Z'])
    await use()
    const keys = await fixture.operator().em.find(ApiKey, { tenantId })
    const lastUsed = (id: string) => keys.find(key => key.id === id)?.lastUsedAt?.toISOString()
    expect(lastUsed(one.key.id)).to.equal('2026-11-20T12:34:00.000Z')
    expect(lastUsed(two.key.id)).to.equal('2026-11-20T12:01:00.000Z')
    expect(lastUsed(three.key.id)).to.equal(undefined)
  })
})
