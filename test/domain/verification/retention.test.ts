import { expect } from 'chai'
import pg from 'pg'
import { openDatabase } from '#domain/schema/open-database.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { validateToken } from '#domain/token/validate-token.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { getVerificationTimeline } from '#domain/verification/get-verification-timeline.ts'
import { listVerifications } from '#domain/verification/list-verifications.ts'
import { createComingPartitions, maintainPartitions } from '#domain/verification/maintain-partitions.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { submitVerification } from '#domain/verification/submit-verification.ts'
import { createTestScopes } from '../../harness/scope.ts'
import { failureOf, rejected } from '../administration/rejected.ts'
import { issueToken } from '../token/issue-token.ts'
import { dayMs, useFixture } from './fixture.ts'
import { startOne } from './start-one.ts'

describe('A verification past its retention', () => {
  const fixture = useFixture()
  let tenantId: string
  before(async () => {
    tenantId = await fixture.addTenant()
  })

  it('is not found from the millisecond of its expiry on, whether it is deleted yet or not', async () => {
    const { token, verificationId, one } = await issueToken(fixture, tenantId, true)
    const denied = await startOne(fixture, tenantId)
    await recordProviderResult(fixture.service(), denied.result('declined'))
    fixture.clock.advance(1)
    const younger = await startOne(fixture, tenantId)
    const tenant = () => fixture.tenant(tenantId)
    const idsOf = async (status?: 'approved' | 'denied') =>
      (await listVerifications(tenant(), { status })).items.map(item => item.verificationId)
    fixture.clock.advance(400 * dayMs - 1)
    expect(await validateToken(tenant(), token)).to.include({ reason: 'TOKEN_EXPIRED' })
    expect((await getVerificationStatus(tenant(), verificationId)).token).to.equal(token)
    expect(await idsOf()).to.have.members([younger.verificationId, denied.verificationId, verificationId])
    fixture.clock.advance(1)
    expect(await validateToken(tenant(), token)).to.include({ reason: 'TOKEN_NOT_FOUND' })
    for (const find of [
      () => getVerificationStatus(tenant(), verificationId),
      () => getVerificationTimeline(tenant(), { verificationId }),
      () => submitVerification(tenant(), verificationId),
      () => revokeToken(tenant(), { verificationId }),
    ]) {
      await rejected(find(), 'VERIFICATION_NOT_FOUND')
    }
    expect(await recordProviderResult(fixture.service(), one.result('declined'))).to.equal('unmatched')
    expect(await idsOf()).to.deep.equal([younger.verificationId])
    expect([...(await idsOf('approved')), ...(await idsOf('denied'))]).to.deep.equal([])
    expect((await getVerificationStatus(tenant(), younger.verificationId)).status).to.equal('pending')
  })
})

describe('The partitions of verifications', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  it('are created for this month and three more, by any number of workers at once', async () => {
    fixture.clock.set(new Date('2091-06-30T23:59:59.999Z'))
    const other = await fixture.openProcess()
    const made = await Promise.all([fixture, other].map(({ service }) => createComingPartitions(service())))
    expect(made.reduce((sum, count) => sum + count)).to.equal(8)
    expect(await partitions()).to.include.members(['2091_06', '2091_07', '2091_08', '2091_09'])
    expect(await partitions()).not.to.include('2091_10')
    expect(await createComingPartitions(fixture.service())).to.equal(0)
  })

  it('are not needed by any verification, and get those that were started without them', async () => {
    fixture.clock.set(new Date('2093-02-28T23:59:59.999Z'))
    const february = await issueToken(fixture, tenantId, true)
    fixture.clock.advance(1)
    const march = await startOne(fixture, tenantId)
    await recordProviderResult(fixture.service(), march.result('declined'))
    expect(await stored()).to.deep.equal(['default', 'default', 'outcome_default'])
    await maintainPartitions(fixture.service())
    // The partition of the past month is not created.
    expect(await stored()).to.deep.equal(['2093_03', 'default', 'outcome_2093_03'])
    const tenant = fixture.tenant(tenantId)
    expect((await getVerificationStatus(tenant, february.verificationId)).token).to.equal(february.token)
    expect((await listVerifications(tenant, { status: 'denied' })).items).to.have.length(1)
    expect((await listVerifications(tenant)).items.map(item => item.verificationId)).to.deep.equal([
      march.verificationId,
      february.verificationId,
    ])
  })

  it('are dropped when all in them has expired, with what is still open and what has no partition', async () => {
    fixture.clock.set(new Date('2020-05-10T00:00:00Z'))
    await startOne(fixture, tenantId)
    fixture.clock.set(new Date('2094-01-31T12:00:00Z'))
    await maintainPartitions(fixture.service())
    await startOne(fixture, tenantId)
    await issueToken(fixture, tenantId, true)
    const [usage] = await fixture.rows('select sum(started)::int as started from usage_day')
    const endOfMonth = new Date('2094-02-01T00:00:00Z').getTime()
    fixture.clock.set(new Date(endOfMonth + 400 * dayMs - 1))
    await maintainPartitions(fixture.service())
    expect(await partitions()).to.include('2094_01')
    expect((await partitions()).toSorted()[0]).to.equal('2094_01')
    expect(await stored()).to.deep.equal(['2094_01', '2094_01'])
    fixture.clock.advance(1)
    await maintainPartitions(fixture.service())
    expect(await partitions()).not.to.include('2094_01')
    expect(await stored()).to.deep.equal([])
    expect(await fixture.rows('select from open_verification')).to.deep.equal([])
    expect(await closeVerifications(fixture.service())).to.equal(0)
    expect(await fixture.rows('select sum(started)::int as started from usage_day')).to.deep.equal([usage])
  })

  it('are dropped without a long wait: a locked table is left for the next time', async function () {
    this.timeout(20_000)
    const client = new pg.Client({ connectionString: fixture.url })
    await client.connect()
    fixture.clock.set(new Date('2095-01-01T00:00:00Z'))
    await client.query('begin; select * from verification')
    await rejected(maintainPartitions(fixture.service()), 'DATABASE_ERROR')
    await client.query('commit')
    await client.end()
    await maintainPartitions(fixture.service())
    expect(await partitions()).to.deep.equal(['2095_01', '2095_02', '2095_03', '2095_04', 'default'])
  })

  it('need no rights but those on the rows: a role without them can do neither', async () => {
    const url = new URL(fixture.url)
    const roles = ['service', 'stranger'].map(name => `${name}_${url.pathname.slice(6, 30)}`)
    const [service, stranger] = roles as [string, string]
    for (const role of roles) await fixture.rows(`create role ${role} login password '${url.password}'`)
    await fixture.rows(`grant select, insert, update, delete on all tables in schema public to ${service}`)
    await fixture.rows(`grant select on mikro_orm_migrations to ${stranger}`)
    try {
      fixture.clock.set(new Date('2096-01-01T00:00:00Z'))
      const own = await openDatabase({ url: Object.assign(new URL(url), { username: service }).href })
      const { scopeFor } = createTestScopes(own, fixture)
      expect(await maintainPartitions(scopeFor({ kind: 'service' }))).to.be.greaterThan(8)
      expect(await partitions()).to.deep.equal(['2096_01', '2096_02', '2096_03', '2096_04', 'default'])
      const actor = { kind: 'api_key', tenantId, apiKeyId: tenantId, test: false } as const
      const { verificationId } = await startVerification(scopeFor(actor), { ip: '::1' })
      expect((await getVerificationStatus(scopeFor(actor), verificationId)).status).to.equal('pending')
      await own.close()
      const other = new pg.Client({
        connectionString: Object.assign(new URL(url), { username: stranger }).href,
      })
      await other.connect()
      for (const call of [
        "create_verification_partitions('verification', '2097-01-01', '2097-01-01')",
        "drop_verification_partitions('verification', '2098-01-01')",
      ]) {
        const error = await failureOf(other.query(`select ${call}`))
        expect(error).to.include({ code: '42501' })
      }
      await other.end()
    } finally {
      for (const role of roles) {
        await fixture.rows(`drop owned by ${role}`)
        await fixture.rows(`drop role ${role}`)
      }
    }
  })

  /** The months of the partitions. */
  async function partitions(): Promise<string[]> {
    const rows = await fixture.rows<{ name: string }>(
      `select replace(inhrelid::regclass::text, 'verification_', '') as name from pg_inherits
       where inhparent = 'verification'::regclass order by 1`,
    )
    return rows.map(({ name }) => name)
  }

  /** The partitions that the verifications and their outcomes are in. */
  async function stored(): Promise<string[]> {
    const rows = await fixture.rows<{ name: string }>(
      `select replace(tableoid::regclass::text, 'verification_', '') as name from verification
       union all select replace(tableoid::regclass::text, 'verification_', '') from verification_outcome order by 1`,
    )
    return rows.map(({ name }) => name)
  }
})
