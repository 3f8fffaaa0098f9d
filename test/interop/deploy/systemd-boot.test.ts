import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { redisServer, startTestRedis } from '../../harness/engines/redis.ts'
import { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { eventually } from '../../harness/eventually.ts'
import { runSteps, type Steps } from '../../harness/steps.ts'
import { describeWith } from '../../harness/system-program.ts'
import { call } from '../../harness/tenant-client.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { type BootedMachine, bootMachine, systemdContainer } from './booted-machine.ts'

const api = 'age-verification-api@1'
const worker = 'age-verification-worker'
const priorities: Record<string, string> = { error: '3', warn: '4', info: '6' }

describeWith([systemdContainer, redisServer], 'A machine with the systemd units', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const database = useOpened(createTestDatabase)
  const redis = useOpened(startTestRedis)
  let postgres: TcpProxy
  let machine: BootedMachine
  let port: number
  before(async () => {
    postgres = await TcpProxy.open(Number(new URL(database.url).port))
    postgres.set('refused')
    port = await freePort()
    await writeFiles()
    machine = await bootMachine(join(folder.path, 'machine'), install)
  })
  after(async () => {
    await machine?.kill()
    await postgres?.close()
  })

  /** What docs/deploying.md has in /etc, in `etc`. */
  async function writeFiles(): Promise<void> {
    const etc = join(folder.path, 'etc')
    const settings = join(etc, 'age-verification')
    await mkdir(join(folder.path, 'machine'))
    await cp('deploy/systemd', join(etc, 'systemd/system'), { recursive: true })
    await mkdir(join(settings, 'credentials'), { recursive: true })
    const databaseUrl = new URL(database.url)
    databaseUrl.port = String(postgres.port)
    const metricsPorts = [await freePort(), await freePort()]
    const files = {
      'service.env': await readFile('deploy/systemd/service.env.example', 'utf8'),
      'worker.env': `METRICS_PORT=${metricsPorts[0]}\n`,
      'api-1.env': `PORT=${port}\nMETRICS_PORT=${metricsPorts[1]}\n`,
      'credentials/database-url': databaseUrl.href,
      'credentials/redis-url': redis.url,
      'credentials/encryption-key': Buffer.alloc(32, 1).toString('base64'),
      'credentials/veriff-api-key': 'key',
      'credentials/veriff-shared-secret': 'secret',
    }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(settings, name), text, { mode: 0o600 })
    }
    // Short, and longer than what a busy machine lets a process wait.
    for (const unit of [api, worker]) {
      const dropIn = join(etc, 'systemd/system', `${unit}.service.d`)
      await mkdir(dropIn)
      const limits = '[Unit]\nJobRunningTimeoutSec=3\n[Service]\nWatchdogSec=6\n'
      await writeFile(join(dropIn, 'override.conf'), limits)
    }
  }

  const install = `
cp -r "$MOUNT"/../etc/. "$ROOT"/etc/
systemctl --root="$ROOT" --quiet enable age-verification.target ${api} ${worker}`

  const until = (expected: string) => ({ until: (value: string) => value === expected, timeoutMs: 60_000 })

  async function untilActive(): Promise<void> {
    for (const unit of [api, worker]) {
      await eventually(() => machine.show(unit, 'ActiveState'), until('active'))
    }
  }

  /** Fields of the lines of a unit in the journal. */
  async function journal(...args: string[]): Promise<Record<string, string>[]> {
    const lines = await machine.run('journalctl', '--output', 'json', ...args)
    return lines
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }

  const live = async () => String((await call(`http://127.0.0.1:${port}/health/live`)).status)

  const steps: Steps = {
    'reaches multi-user.target while PostgreSQL is away, and has booted': async () => {
      await eventually(() => machine.show('multi-user.target', 'ActiveState'), until('active'))
      await eventually(() => machine.state(), { until: state => state !== 'starting', timeoutMs: 60_000 })
      for (const unit of [api, worker]) expect(await machine.show(unit, 'ActiveState')).to.equal('activating')
    },

    'can be told to start it while PostgreSQL is away, and has it active when PostgreSQL is back':
      async () => {
        await machine.run('systemctl', 'stop', 'age-verification.target')
        const startedAt = performance.now()
        await machine.run('systemctl', 'enable', '--now', 'age-verification.target')
        expect(performance.now() - startedAt, 'ms').to.be.below(20_000)
        expect(await machine.show(worker, 'ActiveState')).to.equal('activating')
        await eventually(() => live(), until('200'))
        const { status } = await call(`http://127.0.0.1:${port}/verify/status`)
        expect(status).to.equal(500)
        postgres.set('open')
        await untilActive()
      },

    'has the errors of each process in the journal, under its name and level, with no limit': async () => {
      const lines = await journal('--identifier', api)
      for (const { MESSAGE, PRIORITY, _SYSTEMD_UNIT } of lines) {
        const { level } = JSON.parse(MESSAGE!)
        expect({ level, PRIORITY }).to.deep.equal({ level, PRIORITY: priorities[level] })
        expect(_SYSTEMD_UNIT).to.equal(`${api}.service`)
      }
      expect(new Set(lines.map(({ PRIORITY }) => PRIORITY))).to.deep.equal(new Set(['3', '4', '6']))
      expect(await journal('--identifier', worker)).not.to.have.length(0)
      const errors = await journal('--priority', 'err', '--unit', 'age-verification-*')
      expect(errors.filter(({ _PID }) => _PID !== '1')).to.deep.equal(
        lines.filter(({ PRIORITY }) => PRIORITY === '3'),
      )
      expect(await machine.show(api, 'LogRateLimitIntervalUSec')).to.equal('0')
    },

    'restarts a process that is frozen': async () => {
      for (const unit of [api, worker]) {
        const frozen = await machine.show(unit, 'MainPID')
        await machine.run('kill', '-STOP', frozen)
        await eventually(() => machine.show(unit, 'NRestarts'), until('1'))
        await eventually(() => machine.show(unit, 'ActiveState'), until('active'))
        expect(await machine.show(unit, 'MainPID')).not.to.equal(frozen)
      }
    },

    'shuts it down in order, with the machine': async () => {
      for (const unit of [api, worker]) expect(await machine.show(unit, 'NRestarts')).to.equal('1')
      expect(await machine.powerOff()).to.equal(0)
      const written = await machine.journal()
      for (const unit of [api, worker]) {
        expect(written.findLast(line => line.startsWith(`${unit}: `))).to.include('Shutting down: draining')
        expect(written.at(-1)).to.include('Journal stopped')
        expect(written).to.include(`systemd: ${unit}.service: Deactivated successfully.`)
      }
    },
  }

  it('boots without PostgreSQL, has levels in its journal, restarts what is frozen, and shuts down in order', () =>
    runSteps(steps))
})
