import { expect } from 'chai'
import { stored } from '../harness/stored.ts'
import { countedCompletions, createdAt } from '../harness/stored-rows.ts'
import { useService } from '../harness/use-service.ts'
import { operate, operateEmbedded } from './operate.ts'

const verifications = 60

describe('a seeded history', () => {
  const service = useService()
  const env = () => ({ DATABASE_URL: service.databaseUrl, BASE_URL: service.baseUrl })
  // biome-ignore lint/suspicious/noExplicitAny: tests read the columns that their statements select
  const rows = (text: string) => stored<any>(service, text)
  let tenantId: string
  before(async () => {
    const json = async (...args: string[]) => {
      const { code, out, err } = await operateEmbedded(env(), ...args, '--json')
      expect(code, err).to.equal(0)
      return JSON.parse(out)
    }
    ;({ tenantId } = await json('tenant', 'create', '--name', 'Shop'))
    const seeded = await json('demo', 'seed', '--tenant', tenantId, '--verifications', String(verifications))
    expect(seeded).to.deep.equal({ tenantId, verifications })
  })

  it('is of the last four weeks, with decisions of several kinds that the usage agrees with', async () => {
    const [found] = await rows(
      `select count(*)::int as count, bool_and(${createdAt('id')} between now() - interval '28 days 1 hour' and now()) as recent,
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
