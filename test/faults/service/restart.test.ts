import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { externalVariables, serviceFixture } from '../../harness/processes/service-fixture.ts'
import { fatalMessages, type ServiceProcess } from '../../harness/processes/service-process.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'

const curl = { isMissing: !findProgram('curl'), reason: 'no curl' }

/** Asks the test to do what systemd does. */
const systemctl = `#!/bin/sh
exec curl --silent --fail "$CONTROL/$1/$2"
`

describeWith([curl], 'A rolling restart with restart-api.sh', function () {
  this.timeout(120_000)
  const fixture = serviceFixture()
  const closing = new AsyncDisposableStack()
  const instances = new Map<string, ServiceProcess>()
  const settings: Record<string, string> = { ROLE: 'api', MIGRATE_ON_START: 'true' }
  let control: string
  before('start two instances', async () => {
    const database = await createTestDatabase()
    closing.defer(() => database.close())
    const veriff = { baseUrl: 'https://veriff.example', apiKey: randomUUID(), sharedSecret: randomUUID() }
    Object.assign(settings, externalVariables(database.url, veriff))
    for (const name of ['1', '2']) expect(await restart(name)).to.equal(true)
    settings.MIGRATE_ON_START = 'false'
    const server = createServer(async ({ url }, response) => {
      const [, name = ''] = /^\/restart\/age-verification-api@(\d)$/.exec(url ?? '') ?? []
      response.writeHead((await restart(name)) ? 200 : 500).end()
    })
    const listening = await listenLocally(server)
    closing.defer(() => listening.close())
    control = listening.url
    await writeFile(join(fixture.folder, 'systemctl'), systemctl, { mode: 0o755 })
  })
  after(() => closing.disposeAsync())

  /** As systemd does for `Type=notify`: resolves when the instance is ready, with true, or has ended. */
  async function restart(name: string): Promise<boolean> {
    const before = instances.get(name)
    before?.signal('SIGTERM')
    await before?.ended
    const port = before?.port ?? (await freePort())
    const instance = await fixture.launch({ name, port, env: { ...settings } })
    instances.set(name, instance)
    return await eventually(async () => (instance.isRunning() ? await instance.isReady() : 'ended'), {
      timeoutMs: 60_000,
    }).then(outcome => outcome === true)
  }

  async function runScript(): Promise<{ code: number; err: string }> {
    const env = { PATH: `${fixture.folder}:${process.env.PATH}`, CONTROL: control }
    return await runProgram('deploy/systemd/restart-api.sh', ['1', '2'], { env }).then(
      ({ stderr }) => ({ code: 0, err: stderr }),
      ({ code, stderr }) => ({ code, err: stderr }),
    )
  }

  /** Sends requests, as a load balancer does, to an instance that is ready, until it is stopped. Returns what failed. */
  function sendSteadily(): () => Promise<unknown[]> {
    let isOver = false
    const failures: unknown[] = []
    const sending = (async () => {
      while (!isOver) {
        const responses = [...instances.values()].map(({ baseUrl }) => fetch(`${baseUrl}/health/ready`))
        const settled = await Promise.allSettled(responses)
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
    const untouched = instances.get('2')!
    const { code, err } = await runScript()
    expect(code).to.equal(1)
    expect(err).to.match(
      /^age-verification-api@1 does not start: .* The instances after it were left as they are\.\n$/,
    )
    const rejected = await instances.get('1')!.ended
    expect(fatalMessages(rejected.out)).to.deep.equal([
      'TOKEN_TTL_DAYS must be a number of days above 0, at most 3650',
    ])
    expect(instances.get('2')).to.equal(untouched)
    expect(await untouched.isReady()).to.equal(true)

    delete settings.TOKEN_TTL_DAYS
    expect(await runScript()).to.deep.equal({ code: 0, err: '' })
    expect(untouched.isRunning()).to.equal(false)
    expect(await Promise.all([...instances.values()].map(each => each.isReady()))).to.deep.equal([true, true])
    expect(await stop()).to.deep.equal([])
  })
})
