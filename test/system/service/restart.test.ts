import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import {
  createInstances,
  curl,
  type RestartedInstances,
} from '../../harness/processes/restarted-instances.ts'
import { externalVariables, serviceFixture } from '../../harness/processes/service-fixture.ts'
import { fatalMessages } from '../../harness/processes/service-process.ts'
import { describeWith } from '../../harness/system-program.ts'

describeWith([curl], 'A rolling restart with restart-api.sh', () => {
  const fixture = serviceFixture()
  const closing = new AsyncDisposableStack()
  const settings: Record<string, string> = { ROLE: 'api', MIGRATE_ON_START: 'true' }
  let instances: RestartedInstances
  before('start two instances', async () => {
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    const veriff = { baseUrl: 'https://veriff.example', apiKey: randomUUID(), sharedSecret: randomUUID() }
    Object.assign(settings, externalVariables(database.url, veriff))
    instances = await createInstances(fixture, settings, closing)
    for (const name of ['1', '2']) expect(await instances.restart(name)).to.equal(true)
    settings.MIGRATE_ON_START = 'false'
  })
  after(() => closing.disposeAsync())

  /** Sends requests, as a load balancer does, to an instance that is ready, until it is stopped. Returns what failed. */
  function sendSteadily(): () => Promise<unknown[]> {
    let isOver = false
    const failures: unknown[] = []
    const sending = (async () => {
      while (!isOver) {
        // Unlike readiness, it may take as long as the database of a busy machine does.
        const urls = [...instances.running.values()].map(({ baseUrl }) => `${baseUrl}/.well-known/jwks.json`)
        const settled = await Promise.allSettled(urls.map(url => fetch(url)))
        const served = settled.some(each => each.status === 'fulfilled' && each.value.status === 200)
        if (!served) failures.push(settled)
        await wait(50)
      }
    })()
    return async () => {
      isOver = true
      await sending
      return failures
    }
  }

  it('ends at a wrong setting, with one instance that serves, and goes on when that is mended', async () => {
    const stop = sendSteadily()
    settings.TOKEN_TTL_DAYS = 'abc'
    const untouched = instances.running.get('2')!
    const { code, err } = await instances.runScript()
    expect(code).to.equal(1)
    expect(err).to.match(
      /^age-verification-api@1 does not start: .* The instances after it were left as they are\.\n$/,
    )
    const rejected = await instances.running.get('1')!.ended
    expect(fatalMessages(rejected.out)).to.deep.equal([
      'TOKEN_TTL_DAYS must be a number of days above 0, at most 3650',
    ])
    expect(instances.running.get('2')).to.equal(untouched)
    await eventually(() => untouched.isReady())

    delete settings.TOKEN_TTL_DAYS
    expect(await instances.runScript()).to.deep.equal({ code: 0, err: '' })
    expect(untouched.isRunning()).to.equal(false)
    expect(instances.running.size).to.equal(2)
    for (const instance of instances.running.values()) await eventually(() => instance.isReady())
    expect(await stop()).to.deep.equal([])
  })
})
