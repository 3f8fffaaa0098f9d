import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { deleteExpiredVerifications } from '#domain/deletion/delete-expired-verifications.ts'
import { forTenant } from '#domain/scope.ts'
import { setRetention } from '#domain/tenant/set-retention.ts'
import { revokeToken } from '#domain/token/revoke-token.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { useSamples } from '../../documents/samples.ts'
import { eventually } from '../../harness/eventually.ts'
import { hourMs } from '../../harness/scope.ts'
import { stored } from '../../harness/stored.ts'
import { runProgram } from '../../harness/system-program.ts'
import { control, tenantClient } from '../../harness/tenant-client.ts'
import { useService, useTenant } from '../../harness/use-service.ts'

describe('The samples for results, resubmissions and missed events', () => {
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
    await eventually(() => service.waits.count > 0)
    await control(service, id, 'open')
    await control(service, id, 'submit')
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

  it('finds results and revocations of which no event came, and goes on where it ended', async () => {
    const adult = await start()
    await decide(adult, 'approve-adult')
    const minor = await start()
    await decide(minor, 'approve-minor')
    await start()
    await untilLast(minor)
    const first = await reconcileFrom(null)
    expect(first.decided.slice(-2)).to.deep.equal([
      [adult, true],
      [minor, false],
    ])
    await revokeToken(forTenant(service.operator(), tenant.tenantId), { verificationId: adult })
    await untilLast(adult)
    const then = await reconcileFrom(first.cursor)
    expect(then.decided).to.deep.equal([[adult, false]])
    expect(await reconcileFrom(then.cursor)).to.deep.equal({ decided: [], checked: [], cursor: then.cursor })
    const unread = await start()
    await decide(unread, 'approve-adult')
    const missed = (await untilLast(unread)).next
    await setRetention(forTenant(service.operator(), tenant.tenantId), { days: 1 })
    await deleteExpiredVerifications({ ...service.operator(), now: new Date(Date.now() + 25 * hourMs) })
    const checked = [new Date(Number(missed.split('-')[0])).toISOString()]
    expect(await reconcileFrom(then.cursor)).to.deep.equal({ decided: [], checked, cursor: missed })
  })

  /** The list, with this one as its last. */
  async function untilLast(verificationId: string): Promise<{ next: string }> {
    const list = async () => (await tenantClient(service, tenant).send('/verifications?limit=100')).body
    return await eventually(list, { until: ({ items }) => items.at(-1)?.verificationId === verificationId })
  }

  /** Until nothing is new. */
  async function reconcileFrom(cursor: string | null) {
    const run = `await (async () => {
      let cursor = ${JSON.stringify(cursor)}
      const decided = []
      const checked = []
      const ports = {
        decide: async (...decision) => decided.push(decision),
        checkUndecided: async missedBefore => checked.push(missedBefore),
        readCursor: async () => cursor,
        storeCursor: async next => { cursor = next },
      }
      await reconcile(ports, { follow: false })
      return { decided, checked, cursor }
    })()`
    return (await evaluate('reconcile.mjs', 'reconcile', run)) as {
      decided: [string, boolean][]
      checked: string[]
      cursor: string
    }
  }
})
