import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { stored } from '../../harness/stored.ts'
import { runProgram } from '../../harness/system-program.ts'
import { control, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

const minutesMs = 60_000

/** Of the integrator's own table. */
interface Row {
  verificationId: string
  startedAt: number
  dueAt: number
  status: string
}

describe('The samples for resubmissions and for missed events', () => {
  const service = useService()
  const tenant = useTenant(service)
  const folder = useSamples()
  const env = () => ({ PATH: process.env.PATH, SERVICE_URL: service.baseUrl, API_KEY: tenant.apiKey })
  const decide = (id: string, outcome: string) => control(service, id, 'decide', { outcome })

  async function start(): Promise<string> {
    return (await tenantClient(service, tenant).start()).body.verificationId
  }

  /** Evaluates an expression with the exports of a sample. */
  async function evaluate(file: string, imports: string, expression: string): Promise<unknown> {
    const url = pathToFileURL(resolve(folder(), file))
    const code = `import { ${imports} } from '${url}'; console.log(JSON.stringify(${expression}))`
    const arguments_ = ['--input-type=module', '-e', code]
    return JSON.parse((await runProgram(process.execPath, arguments_, { cwd: folder(), env: env() })).stdout)
  }

  const nextPage = (id: string, shown: string, timeoutMs = 60_000) =>
    evaluate('resubmission.mjs', 'nextPage', `await nextPage('${id}', '${shown}', ${timeoutMs})`)

  it('asks the user for new pictures, waits for the new attempt, and decides on over18', async () => {
    const id = await start()
    await decide(id, 'resubmission')
    expect(await nextPage(id, 'started')).to.equal('new-pictures')
    expect(await nextPage(id, 'resubmission', 100)).to.equal('continue')
    const waiting = nextPage(id, 'resubmission')
    await eventually(() => !service.statusWaits.isEmpty)
    await control(service, id, 'open')
    await control(service, id, 'submit')
    await decide(id, 'approve-adult')
    expect(await waiting).to.equal('welcome')
  })

  it('sends a user who came back without finishing into the same session, before and after a resubmission', async () => {
    const id = await start()
    expect(await nextPage(id, 'started', 100)).to.equal('continue')
    await control(service, id, 'open')
    expect(await nextPage(id, 'started', 100)).to.equal('continue')
    await decide(id, 'resubmission')
    await control(service, id, 'open')
    expect(await nextPage(id, 'resubmission', 100)).to.equal('continue')
  })

  it('takes nobody for unfinished whose submission is reported a moment later', async () => {
    const id = await start()
    const waiting = nextPage(id, 'started')
    for (const action of ['open', 'submit'] as const) {
      await eventually(() => !service.statusWaits.isEmpty)
      await control(service, id, action)
    }
    await decide(id, 'approve-adult')
    expect(await waiting).to.equal('welcome')
  })

  it('starts again after a resubmission that nobody continued', async () => {
    const id = await start()
    await decide(id, 'resubmission')
    const sql = `update open_verification set closes_at = now() - interval '1 day' where verification_id = $1`
    await stored(service, sql, [id])
    await closeVerifications(service.services.scopeFor({ kind: 'service' }))
    for (const shown of ['started', 'resubmission']) {
      expect(await nextPage(id, shown, 100)).to.equal('start-again')
    }
  })

  it('reports that the user is back, also when the result was there before', async () => {
    const id = await start()
    const reportReturn = () =>
      evaluate('resubmission.mjs', 'reportReturn', `(await reportReturn('${id}')) ?? null`)
    const read = async () => (await tenantClient(service, tenant).status(id)).body.status
    await reportReturn()
    expect(await read()).to.equal('pending')
    await decide(id, 'approve-adult')
    await reportReturn()
    expect(await read()).to.equal('approved')
  })

  for (const [outcome, page] of Object.entries({
    'approve-minor': 'refused',
    decline: 'refused',
    abandon: 'start-again',
    review: 'wait',
  })) {
    it(`shows ${page} after the outcome ${outcome}`, async () => {
      const id = await start()
      await decide(id, outcome)
      expect(await nextPage(id, 'started', 100)).to.equal(page)
    })
  }

  it('finds results and resubmissions of which no event came, and looks ever more rarely', async () => {
    const now = Date.now()
    const ids = await Promise.all([start(), start(), start(), start()])
    const [adult, minor, resubmitted, open] = ids
    await Promise.all([
      decide(adult!, 'approve-adult'),
      decide(minor!, 'approve-minor'),
      decide(resubmitted!, 'resubmission'),
    ])
    const unknown = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
    const row = { startedAt: now - 20 * minutesMs, dueAt: now - 1, status: 'started' }
    const rows: Row[] = [...ids, unknown].map(verificationId => ({ ...row, verificationId }))
    const later = { ...row, verificationId: await start(), dueAt: now + 21 * minutesMs }
    const { decided, invited, left } = await reconcileTwice([...rows, later], now)
    expect(decided).to.deep.equal([
      [adult, true],
      [minor, false],
      [unknown, false],
    ])
    expect(invited).to.deep.equal([resubmitted])
    expect(left).to.deep.equal([
      { ...row, verificationId: resubmitted, status: 'resubmission', dueAt: now + 60 * minutesMs },
      { ...row, verificationId: open, status: 'pending', dueAt: now + 60 * minutesMs },
      later,
    ])
  })

  /** With a table in memory: once at `now`, and once when its pause is over. */
  async function reconcileTwice(rows: Row[], now: number) {
    const run = `await (async () => {
      let rows = ${JSON.stringify(rows)}
      const decided = [], invited = []
      const table = {
        findDue: now => rows.filter(({ dueAt }) => dueAt <= now),
        update: (id, changes) => Object.assign(rows.find(({ verificationId }) => verificationId === id), changes),
        remove: id => { rows = rows.filter(({ verificationId }) => verificationId !== id) },
      }
      const ports = {
        table,
        decide: async (...decision) => decided.push(decision),
        invite: async row => invited.push(row.verificationId),
      }
      await reconcile(ports, ${now})
      await reconcile(ports, ${now + 20 * minutesMs})
      return { decided, invited, left: rows }
    })()`
    return (await evaluate('reconcile.mjs', 'reconcile', run)) as {
      decided: [string, boolean][]
      invited: string[]
      left: Row[]
    }
  }
})
