import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { pollProvider } from '#domain/verification/poll-provider.ts'
import { createLog } from '#server/logging/log.ts'
import { testEncryptionKey } from '#test/operator/operate.ts'
import { createTestSender, useAutoClose } from '#test/server/webhooks/http/fixture.ts'
import { listen, startReceiver } from '#test/server/webhooks/http/tls-receiver.ts'
import { startDeliveryWorker } from '../harness/delivery-worker.ts'
import { eventually } from '../harness/eventually.ts'
import { root } from '../harness/processes/service-process.ts'
import { stored } from '../harness/stored.ts'
import { control, tenantClient } from '../harness/tenant-client.ts'
import { useOpened } from '../harness/use-opened.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** One start every two minutes, for six hours. */
const starts = 180
/** What users do, in turn; a third of them leaves without a decision. */
const outcomes = ['approve-adult', 'decline', undefined]

describe('Six hours of lost callbacks', function () {
  this.timeout(240_000)
  let offsetMs = 0
  const service = useService({ clock: () => new Date(Date.now() + offsetMs) })
  const tenant = useNewTenant(service)
  const open = useAutoClose()
  useOpened(async () =>
    startDeliveryWorker(service, { sender: createTestSender(), log: createLog('silent') }),
  )

  it('are recovered by one command at the provider’s pace, by repeating it if the provider fails', async () => {
    const { decided, from, to, bodies } = await prepare()
    const provider = await startLimitedProvider({ 40: 500, 100: 429 })
    const poll = () => run(provider.url, '--from', from, '--to', to, '--json')
    const startedAt = performance.now()
    const first = await poll()
    const seconds = (performance.now() - startedAt) / 1000
    expect([first.code, first.counts.polled]).to.deep.equal([1, starts])
    // On a busy machine, a response of the provider may be late, too.
    expect(first.counts.failed).to.be.at.least(5)
    expect(first.err).to.match(/^The provider limits the rate of requests; waiting 2 s$/m)
    let { changed } = first.counts
    expect(await countOpen()).to.equal(starts - changed)
    const untilNoneFails = () =>
      eventually(
        async () => {
          const open = starts - changed
          const { code, counts } = await poll()
          changed += counts.changed
          expect([code, counts.polled, counts.failed]).to.deep.equal([0, open, 0])
          return changed
        },
        { timeoutMs: 60_000 },
      )
    expect([await untilNoneFails(), await untilNoneFails()]).to.deep.equal([decided.length, decided.length])
    await expectEachOnce(bodies, decided)
    // A second of the provider has requests of two; those of a third one may arrive late.
    expect(provider.busiestSecond()).to.be.at.most(3 * perSecond)
    // The page that was refused was sent again, after the 2 seconds that the provider asked for.
    expect(seconds).to.be.at.least(starts / perSecond)
    console.log(
      `      ${starts} verifications polled in ${seconds.toFixed(1)} s, at most ${provider.busiestSecond()} in a second: ` +
        `${decided.length} decided, ${first.counts.failed} failed and repeated, ${bodies.length} events`,
    )
  })

  it('are recovered by the service alone, an hour after each start', async () => {
    const { decided, bodies } = await prepare()
    await pollAsTheService()
    expect(await countOpen()).to.equal(starts - decided.length)
    await expectEachOnce(bodies, decided)
  })

  /** Starts and decides verifications in the past, without a callback; from then on the clock is right. */
  async function prepare() {
    const { bodies, url } = await open(startReceiver())
    await setWebhookUrl(forTenant(service.operator(), tenant.tenantId), { url })
    const client = tenantClient(service, tenant)
    const beginning = Date.now() - 8 * hourMs
    const decided: string[] = []
    for (let n = 0; n < starts; n++) {
      offsetMs = beginning + 2 * n * minuteMs - Date.now()
      const { status, body } = await client.start()
      expect(status).to.equal(201)
      const outcome = outcomes[n % outcomes.length]
      if (outcome === undefined) continue
      await control(service, body.verificationId, 'decide', { outcome, delivery: 'missing' })
      decided.push(body.verificationId)
    }
    offsetMs = 0
    const [from, to] = [beginning, beginning + 6 * hourMs].map(time => new Date(time).toISOString())
    return { decided, bodies, from: from!, to: to! }
  }

  /** What a worker does, until nothing is due. */
  async function pollAsTheService(): Promise<void> {
    while ((await pollProvider(service.services.scopeFor({ kind: 'service' }))) > 0);
  }

  async function countOpen(): Promise<number> {
    const query = 'select count(*)::int as open from open_verification where tenant_id = $1'
    const [row] = await stored<{ open: number }>(service, query, [tenant.tenantId])
    return row!.open
  }

  async function expectEachOnce(bodies: string[], decided: string[]): Promise<void> {
    await eventually(() => bodies.length >= decided.length)
    const unfinished = "select from delivery where tenant_id = $1 and state <> 'delivered'"
    await eventually(async () => (await stored(service, unfinished, [tenant.tenantId])).length === 0)
    const told = bodies.map(body => JSON.parse(body).data.verificationId)
    expect(told.toSorted()).to.deep.equal(decided.toSorted())
  }

  /** In front of the simulator: refuses five requests with a status, beginning with the n-th, and counts them all. */
  async function startLimitedProvider(failures: Record<number, number>) {
    const times: number[] = []
    const server = createServer(async (request, response) => {
      times.push(performance.now())
      const [, status] =
        Object.entries(failures).find(([n]) => times.length - Number(n) in [0, 1, 2, 3, 4]) ?? []
      if (status) return void response.writeHead(status, { 'retry-after': '2' }).end()
      const headers = request.headers as Record<string, string>
      const answer = await fetch(`${service.veriffUrl}${request.url}`, { headers })
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })
    const { port } = await open(listen(server))
    const inSecondFrom = (start: number) => times.filter(time => time >= start && time < start + 1000).length
    return { url: `http://127.0.0.1:${port}`, busiestSecond: () => Math.max(...times.map(inSecondFrom)) }
  }

  const perSecond = 30

  function start(providerUrl: string, args: string[]) {
    const command = ['verification', 'poll', '--per-second', String(perSecond), ...args]
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    const { apiKey, sharedSecret } = service.veriff
    return spawn(process.execPath, [join(root, 'operator/main.ts'), ...command], {
      env: {
        PATH,
        NODE_COMPILE_CACHE,
        DATABASE_URL: service.databaseUrl,
        ENCRYPTION_KEY: testEncryptionKey,
        VERIFF_BASE_URL: providerUrl,
        VERIFF_API_KEY: apiKey,
        VERIFF_SHARED_SECRET: sharedSecret,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  async function run(providerUrl: string, ...args: string[]) {
    const command = start(providerUrl, args)
    const outputs = [text(command.stdout), text(command.stderr)] as const
    const [out, err, [code]] = await Promise.all([...outputs, once(command, 'close')])
    return { code, err, counts: JSON.parse(out) }
  }
})
