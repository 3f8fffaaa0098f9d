import { expect } from 'chai'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { toAgeToken, tokenColumns } from '#domain/signing-key/age-token.ts'
import { stored } from '../harness/stored.ts'
import { countedCompletions, createdAt, storedTokens } from '../harness/stored-rows.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { useService } from '../harness/use-service.ts'
import { operate, operateEmbedded } from './operate.ts'

/** Enough that the rarest outcome (0.4 %) is missing once in ten million runs. */
const count = 4_000

describe('a seeded history', () => {
  const history = useSeededHistory()
  const { json, rows, validate } = history

  it('has the requested number of verifications over several months up to now, in the order of their ids', async () => {
    expect(history.seeded).to.include({ tenantId: history.tenantId, verifications: count })
    const [found] = await rows(
      `select count(*)::int as count, min(${createdAt('id')}) as first, max(${createdAt('id')}) as last,
         bool_and(${createdAt('id')} <= now() and coalesce(completed_at <= now(), true)) as past from verification`,
    )
    expect(found).to.include({ count, past: true })
    const months = (found.last - found.first) / (30 * 24 * 60 * 60 * 1000)
    expect(months).to.be.greaterThan(4)
  })

  it('has every outcome, an open row for exactly what is not completed, and an outcome for what was completed unapproved', async () => {
    const [open] = await rows(
      `select count(*)::int as wrong from verification v full join open_verification o on o.verification_id = v.id
       where (v.completed_at is null) is distinct from (o.verification_id is not null)
         or (v.completed_at is null and v.status <> o.status)`,
    )
    expect(open.wrong).to.equal(0)
    const [outcomes] = await rows(
      `select count(*)::int as wrong
       from (select * from verification where completed_at is not null and status <> 'approved') v
       full join verification_outcome o on o.verification_id = v.id and o.tenant_id = v.tenant_id and o.status = v.status
       where v.id is null or o.verification_id is null`,
    )
    expect(outcomes.wrong).to.equal(0)
    const found = await rows('select distinct status from verification where completed_at is not null')
    const statuses = ['approved', 'denied', 'rejected', 'resubmission', 'submitted']
    expect(found.map(row => row.status)).to.include.members(statuses)
  })

  it('agrees with daily and monthly usage', async () => {
    const days = await rows(
      `select count(*)::int as wrong from (
         select (${createdAt('id')} at time zone 'UTC')::date as day, count(*)::int as started from verification group by 1
       ) v full join usage_day d using (day) where coalesce(v.started, 0) <> coalesce(d.started, 0)`,
    )
    const counts = `approved, denied, rejected, submitted, resubmission, opened, user_submitted, over18, under18`
    const completed = (table: string) =>
      rows(`select day::text, ${counts} from ${table} counts where approved + denied + rejected + submitted
        + resubmission > 0 order by day`)
    const counted = await completed('usage_day')
    const months = await rows(
      `select count(*)::int as wrong from (
         select date_trunc('month', ${createdAt('id')} at time zone 'UTC')::date as month, count(*)::int as used
         from verification group by 1
       ) v full join usage_month m using (month) where v.used is distinct from m.used`,
    )
    expect(days[0].wrong).to.equal(0)
    expect(counted).to.deep.equal(await completed(countedCompletions))
    expect(counted.some(day => day.under18 > 0 && day.over18 > day.under18)).to.equal(true)
    expect(months[0].wrong).to.equal(0)
  })

  it('has only tokens that never validate, because a key that is not stored signed them, and admits nobody', async () => {
    const token = async (where: string) => {
      const [newest] = await rows(
        `select v.id as "verificationId", v.tenant_id as "tenantId", v.completed_at as "completedAt", v.over18, ${tokenColumns}
         from verification v join token_signer s on s.id = v.token_signer left join signing_key k on k.kid = s.kid
         where v.id = (select verification_id from ${storedTokens} t where ${where} order by issued_at desc limit 1)`,
      )
      const status = await history.status(newest.verificationId)
      expect(status).to.include({ status: 'approved', over18: null }).and.not.have.property('token')
      return toAgeToken(newest)!
    }
    const adult = await token('over18 and revoked_at is null')
    expect(await validate(adult)).to.equal('TOKEN_NOT_FOUND')
    expect(await validate(await token('not over18'))).to.equal('TOKEN_NOT_FOUND')
    expect(await validate(await token('revoked_at is not null'))).to.equal('TOKEN_NOT_FOUND')
    expect(await validate(await token('expires_at < now()'))).to.equal('TOKEN_NOT_FOUND')

    const { keys } = (await call(`${history.baseUrl()}/.well-known/jwks.json`)).body
    expect(keys).to.have.length(1)
    const forged = await jwtVerify(adult, createLocalJWKSet({ keys })).catch((error: Error) => error.name)
    expect(forged).to.equal('JWKSNoMatchingKey')
  })

  it('is not written to any other database than the embedded one', async () => {
    const before = await rows('select count(*)::int as count from verification')
    const args = ['demo', 'seed', '--tenant', history.tenantId, '--verifications', '10']
    expect(await operate(history.env(), ...args)).to.deep.equal({
      code: 1,
      out: '',
      err: 'demo seed works on the embedded database only, and DATABASE_URL names another one.\n',
    })
    expect(await rows('select count(*)::int as count from verification')).to.deep.equal(before)
  })

  it('counts towards the usage of the month, stays within its quota, and sends no webhook events', async () => {
    const [month] = await rows(
      `select count(*)::int as started from verification
       where date_trunc('month', ${createdAt('id')} at time zone 'UTC') = date_trunc('month', now() at time zone 'UTC')`,
    )
    expect((await json('tenant', 'show', '--tenant', history.tenantId)).usage).to.equal(month.started)
    const [found] = await rows(
      `select (select count(*)::int from delivery) as deliveries,
         (select max(used) from usage_month) < (select monthly_quota from plan where name = 'default') as has_quota_left`,
    )
    expect(found).to.deep.equal({ deliveries: 0, has_quota_left: true })
  })
})

/** A service with one tenant, whose history is seeded before the tests. */
function useSeededHistory() {
  const service = useService()
  let apiKey: string
  const history = {
    tenantId: '',
    /** What the command printed. */
    seeded: {} as Record<string, unknown>,
    baseUrl: () => service.baseUrl,
    env: () => ({ DATABASE_URL: service.databaseUrl, BASE_URL: service.baseUrl }),
    json: async (...args: string[]) => {
      const { code, out, err } = await operateEmbedded(history.env(), ...args, '--json')
      expect(code, err).to.equal(0)
      return JSON.parse(out)
    },
    // biome-ignore lint/suspicious/noExplicitAny: tests read the columns that their statements select
    rows: (text: string) => stored<any>(service, text),
    status: async (verificationId: string) =>
      (await tenantClient(service, { apiKey }).status(verificationId)).body,
    validate: async (token: string) => (await tenantClient(service, { apiKey }).validate(token)).body.reason,
  }
  before(async () => {
    const { tenantId } = await history.json('tenant', 'create', '--name', 'Shop')
    ;({ apiKey } = await history.json('key', 'create', '--tenant', tenantId))
    await history.json('member', 'add', '--tenant', tenantId, '--subject', 'dana', '--role', 'developer')
    const seed = ['--tenant', tenantId, '--verifications', String(count)]
    Object.assign(history, { tenantId, seeded: await history.json('demo', 'seed', ...seed) })
  })
  return history
}
