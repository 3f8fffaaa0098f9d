import { expect } from 'chai'
import pg from 'pg'
import {
  type Prometheus,
  prometheus as program,
  scrapeConfig,
  startPrometheus,
} from '../harness/engines/prometheus.ts'
import { ownRedisServer } from '../harness/engines/redis.ts'
import { eventually } from '../harness/eventually.ts'
import { serviceFixture } from '../harness/processes/service-fixture.ts'
import { describeWith } from '../harness/system-program.ts'
import { call } from '../harness/tenant-client.ts'
import { type Installation, startInstallation } from './installation.ts'

const unknownId = '01a00000-0000-7000-8000-000000000000'

/** Six minutes of the rules, in which the `for` of most pages ends. */
const scrapesWhileWell = 24

describeWith([program, ownRedisServer], 'The alerts of two installations', function () {
  this.timeout(180_000)
  const fixture = serviceFixture()
  const closing = new AsyncDisposableStack()
  let a: Installation
  let b: Installation
  let prometheus: Prometheus
  before('start both, and send requests to them', async () => {
    const start = (name: string) => startInstallation(name, fixture, closing)
    ;[a, b] = await Promise.all([start('a'), start('b')])
    for (const { client } of [a, b]) sendSteadily(() => client.status(unknownId))
    const scrapeConfigs = [
      scrapeConfig('age-verification-a', a.ports),
      scrapeConfig('age-verification-b', b.ports),
    ]
    prometheus = await startPrometheus({ scrapeConfigs }, closing)
  })
  after(() => closing.disposeAsync())

  /** Ten times a second until the end, whatever the responses are. */
  function sendSteadily(send: () => Promise<unknown>): void {
    const timer = setInterval(() => void send().catch(() => undefined), 100)
    closing.defer(() => clearInterval(timer))
  }

  const fired = (installation: 'a' | 'b') => prometheus.fired(`age-verification-${installation}`)

  async function expectFired(installation: 'a' | 'b', ...alerts: string[]): Promise<void> {
    const missing = async () => {
      const all = await fired(installation)
      return alerts.filter(alert => !all.includes(alert))
    }
    await eventually(missing, { until: left => left.length === 0, timeoutMs: 60_000 })
  }

  it('do not fire while all is well', async () => {
    await prometheus.untilScraped(scrapesWhileWell)
    expect(await prometheus.firing()).to.deep.equal([])
  })

  it('fire for a locked table, a receiver and a provider that fail, and callbacks that do not come', async () => {
    await a.client.decided('approve-adult')
    const locking = new pg.Client({ connectionString: a.databaseUrl })
    await locking.connect()
    await locking.query('begin; lock table verification in access exclusive mode')
    try {
      for (let started = 0; started < 12; started++) expect((await b.client.start()).status).to.equal(201)
      await call(`${b.veriffUrl}/control/mode`, { method: 'PUT', json: { createSession: 'error-500' } })
      sendSteadily(() => b.client.start())
      await Promise.all([
        expectFired('a', 'DatabasePoolExhausted', 'DatabaseErrors', 'HttpErrorRatioHigh'),
        expectFired('a', 'WebhookDeliveriesGivenUp'),
        expectFired('b', 'ProviderFailing', 'CallbacksMissing'),
      ])
    } finally {
      await locking.end()
    }
  })

  it('fire for Redis, PostgreSQL and a worker that are away', async () => {
    await a.redis.server!.kill()
    b.network.set('refused')
    b.worker.signal('SIGKILL')
    await Promise.all([
      expectFired('a', 'RedisErrors', 'DependencyDown'),
      expectFired('b', 'DatabaseErrors', 'DependencyDown', 'WorkerMissing', 'ProcessDown'),
    ])
  })

  it('fire only for the installation that has the fault, with a link that can be opened', async () => {
    expect(await fired('a')).not.to.include.oneOf(['WorkerMissing', 'ProviderFailing', 'CallbacksMissing'])
    expect(await fired('b')).not.to.include.oneOf(['RedisErrors', 'WebhookDeliveriesGivenUp'])
    const links = (await prometheus.firing()).map(({ annotations }) => annotations.runbook_url)
    expect(links).not.to.deep.equal([])
    for (const link of links) expect(link).to.match(/^https:\/\/git\.example\/.+#[a-z]+$/)
  })
})
