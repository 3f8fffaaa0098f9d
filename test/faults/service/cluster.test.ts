import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { demoTenant, tenantOf } from '#test/harness/processes/demo-tenant.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { apiProcessesOf, residentBytes } from '#test/harness/processes/process-tree.ts'
import { serviceFixture } from '#test/harness/processes/service-fixture.ts'
import { type ServiceProcess, untilNone } from '#test/harness/processes/service-process.ts'
import { describeWithRedis, startTestRedis } from '../../harness/engines/redis.ts'
import { eventually } from '../../harness/eventually.ts'
import { call } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'

const unknown = '01a00000-0000-7000-8000-000000000000'

describeWithRedis('A service with several API processes', function () {
  this.timeout(120_000)
  const fixture = serviceFixture()
  const redis = useOpened(startTestRedis)
  let service: ServiceProcess
  let tenantId: string
  let apiKey: string
  before(async () => {
    service = await start()
    ;({ tenantId, apiKey } = await demoTenant(service))
  })
  beforeEach('start the service if a test has ended it', async () => {
    if (!service.isRunning()) service = await start()
  })

  const start = () => {
    const env = { REDIS_URL: redis.url, WEB_CONCURRENCY: '2', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
    return fixture.start({ env })
  }

  async function completeVerification(): Promise<void> {
    const tenant = tenantOf(service, apiKey)
    const { status, body } = await tenant.start()
    expect(status).to.equal(201)
    expect((await tenant.choose(body.verificationId, 'adult')).body.status).to.equal('approved')
  }

  /** The value of a metric as any process reports it; undefined if it is missing. */
  async function metric(line: RegExp): Promise<number | undefined> {
    const { body } = await call(`${service.baseUrl}/metrics`)
    const [, value] = line.exec(body) ?? []
    return value === undefined ? undefined : Number(value)
  }

  it('serves requests only when all processes listen, and they share rate limits', async () => {
    expect(apiProcessesOf(service.pid)).to.have.length(2)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => tenantOf(service, apiKey).status(unknown)),
    )
    // Two windows, if a minute ends meanwhile.
    const windows = Object.values(Object.groupBy(responses.map(rateWindowOf), ({ reset }) => reset))
    for (const window of windows) {
      const remaining = window!.map(response => response.remaining).toSorted((a, b) => b - a)
      const [limit] = window!.map(response => response.limit)
      const consecutive = Array.from(remaining, (_, index) => limit! - index - 1)
      expect(remaining).to.deep.equal(consecutive)
    }
  })

  it('wakes the requests that wait for a change in any of them', async () => {
    const tenant = tenantOf(service, apiKey)
    const { verificationId, sessionUrl } = (await tenant.start()).body
    const responses = Array.from({ length: 10 }, () => tenant.awaitChange(verificationId, 60))
    await eventually(() => metric(/^age_verification_http_waiting_requests (\d+)$/m), {
      until: value => value === 10,
    })
    await call(sessionUrl)
    for (const response of responses) expect((await response).body.status).to.equal('started')
  })

  it('completes a verification, whose delivery the primary attempts, and aggregates the metrics of all processes', async () => {
    await operate(service, 'tenant', 'set-webhook', '--tenant', tenantId, '--url', 'https://127.0.0.1:9/hook')
    await completeVerification()
    const attempted = await eventually(
      () => metric(/^age_verification_webhook_attempts_total\{outcome="connect"\} (\d+)$/m),
      {
        until: value => value !== 0,
      },
    )
    expect(attempted).to.equal(1)
    // What is in the database is counted once.
    await eventually(() => metric(/^age_verification_webhook_waiting (\d+)$/m), {
      until: value => value === 1,
    })
    expect(await metric(/^nodejs_version_info\{[^}]*\} (\d+)$/m)).to.equal(1)
    expect(await metric(/^process_start_time_seconds (\d+)$/m)).to.equal(undefined)
    const one = residentBytes(service.pid)
    expect(await metric(/^process_resident_memory_bytes (\d+)$/m)).to.be.greaterThan(2 * one)
  })

  /** On a connection of its own, which any of the processes may get. */
  async function requestKeys(): Promise<number | undefined> {
    const request = get(`${service.baseUrl}/.well-known/jwks.json`, { agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }

  it('restarts a process that dies, and keeps serving requests meanwhile', async () => {
    const [victim, survivor] = apiProcessesOf(service.pid)
    process.kill(victim!, 'SIGKILL')
    await service.says(/API process exited unexpectedly; restarting/)
    const restarted = service.says(/API process restarted/).then(() => true)
    const statuses = new Set<number | undefined>()
    do statuses.add(await requestKeys())
    while (!(await Promise.race([restarted, false])))
    expect([...statuses]).to.deep.equal([200])
    const now = apiProcessesOf(service.pid)
    expect(now).to.have.length(2)
    expect(now).to.include(survivor).and.not.include(victim)
  })

  it('restarts a process whose event loop does not run', async () => {
    const [frozen] = apiProcessesOf(service.pid)
    process.kill(frozen!, 'SIGSTOP')
    await service.says(/API process does not respond; killing it/)
    await eventually(
      () => apiProcessesOf(service.pid).length === 2 && !apiProcessesOf(service.pid).includes(frozen!),
    )
  })

  it('serves while nobody reads its standard output, which has the lines later', async () => {
    service.holdOutput()
    // More lines than the system's buffers hold, whatever the rate limit answers.
    for (let sent = 0; sent < 3_000; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => tenantOf(service, apiKey).status(unknown)))
    }
    expect(await metric(/^age_verification_log_lines_dropped_total (\d+)$/m)).to.equal(0)
    const { headers } = await tenantOf(service, apiKey).status(unknown)
    expect(headers.get('x-request-id')).to.be.a('string')
    expect(service.out()).not.to.include(headers.get('x-request-id'))
    service.releaseOutput()
    await service.says(new RegExp(headers.get('x-request-id')!))
  })

  it('leaves no process behind when its primary is killed, and starts again on the same database', async () => {
    const children = apiProcessesOf(service.pid)
    process.kill(service.pid, 'SIGKILL')
    await service.ended
    await eventually(async () => children.filter(isAlive), {
      until: alive => alive.length === 0,
    })
    service = await start()
    await completeVerification()
  })

  for (const [signal, sent] of [
    ['SIGINT', 'on Ctrl-C'],
    ['SIGHUP', 'when their terminal closes'],
  ] as const) {
    it(`shuts down with all its processes ${sent}, and opens no debugger on SIGUSR1`, async () => {
      service.signalGroup('SIGUSR1')
      expect(await service.isReady()).to.equal(true)
      service.signalGroup(signal)
      // A shutdown that takes longer than its deadline of 9.5 s ends with code 1. Node says on `err` that a debugger listens.
      expect(await service.ended).to.include({ code: 0, err: '' })
      await untilNone(fixture.folder)
    })
  }
})

function rateWindowOf({ headers }: { headers: Headers }) {
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`))
  return { limit: number('limit'), remaining: number('remaining'), reset: number('reset') }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
