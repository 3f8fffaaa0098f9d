import { expect } from 'chai'
import { eventually } from '../harness/eventually.ts'
import { stored } from '../harness/stored.ts'
import { countedCompletions, createdAt } from '../harness/stored-rows.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useService } from '../harness/use-service.ts'
import { operate, operateEmbedded } from './operate.ts'

const verifications = 60

describe('a seeded history', () => {
  const service = useService()
  const env = () => ({ DATABASE_URL: service.databaseUrl, BASE_URL: service.baseUrl })
  // biome-ignore lint/suspicious/noExplicitAny: tests read the columns that their statements select
  const rows = (text: string) => stored<any>(service, text)
  let tenantId: string
  let apiKey: string
  before(async () => {
    const json = async (...args: string[]) => {
      const { code, out, err } = await operateEmbedded(env(), ...args, '--json')
      expect(code, err).to.equal(0)
      return JSON.parse(out)
    }
    ;({ tenantId } = await json('tenant', 'create', '--name', 'Shop'))
    ;({ apiKey } = await json('key', 'create', '--tenant', tenantId))
    const seeded = await json('demo', 'seed', '--tenant', tenantId, '--verifications', String(verifications))
    expect(seeded).to.deep.equal({ tenantId, verifications })
  })

  it('is of the last four weeks, with decisions of several kinds that the usage agrees with', async () => {
    const [found] = await rows(
      `select count(*)::int as count, bool_and(${createdAt('id')} between now() - interval '28 days' and now()) as recent,
         count(distinct status)::int as statuses from verification`,
    )
    expect(found).to.include({ count: verifications, recent: true })
    expect(found.statuses).to.be.greaterThan(1)
    const [usage] = await rows(
      'select sum(started)::int as started, sum(approved)::int as approved from usage_day',
    )
    const [completed] = await rows(`select sum(approved)::int as approved from ${countedCompletions} counts`)
    expect(usage).to.deep.equal({ started: verifications, approved: completed.approved })
  })

  it('has tokens that are valid', async () => {
    const [adult] = await rows(
      `select id from verification where over18 and token_revoked_at is null limit 1`,
    )
    const client = tenantClient(service, { apiKey })
    const { body } = await eventually(() => client.status(adult.id), { until: ({ body }) => body.token })
    expect((await client.validate(body.token)).body).to.include({ valid: true, over18: true })
  })

  it('is recorded in the audit log as one event of the operator', async () => {
    const found = await rows(`select actor_kind, target, changes from audit_event where action = 'demo.seed'`)
    expect(found).to.deep.equal([{ actor_kind: 'operator', target: tenantId, changes: { verifications } }])
  })

  it('is not written to any other database than the embedded one', async () => {
    expect(await operate(env(), 'demo', 'seed', '--tenant', tenantId, '--verifications', '10')).to.deep.equal(
      {
        code: 1,
        out: '',
        err: 'demo seed works on the embedded database only, and DATABASE_URL names another one.\n',
      },
    )
    const [found] = await rows('select count(*)::int as count from verification')
    expect(found).to.deep.equal({ count: verifications })
  })
})
