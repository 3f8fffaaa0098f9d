import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { runCommand } from '#development/operate.ts'
import { programVersion } from '#domain/schema/program-version.ts'
import { knownMigrations } from '#domain/schema/schema-status.ts'
import type { Fault } from '../chaos/faults/fault.ts'
import { killEverything, restartInTurn } from '../chaos/faults/processes.ts'
import { planInTurn } from '../chaos/plan.ts'
import type { Run } from '../chaos/run.ts'
import { databaseName } from '../chaos/system/topology.ts'
import { temporaryFolder } from '../development/temporary-folder.ts'
import { describeWithRedis } from '../harness/engines/redis.ts'
import { fatalMessages, launchService, root } from '../harness/processes/service-process.ts'
import { makeRelease, type NextMigration, type Release } from './make-release.ts'
import { runPlan } from './run-plan.ts'

/** What a migration may do while the previous version of the program serves requests, and after it was rolled back. */
const expand: NextMigration[] = [
  {
    name: 'Expand',
    statements: [
      'alter table verification add column note text',
      'alter table verification_outcome add column score_version smallint not null default 1',
      'alter table tenant add constraint tenant_named check (length(name) > 0) not valid',
      'create table note (id uuid primary key, verification_id uuid not null)',
    ],
  },
  { name: 'Validate', statements: ['alter table tenant validate constraint tenant_named'] },
  {
    name: 'Index',
    statements: ['set lock_timeout = 0', 'create index concurrently tenant_name on tenant (name)'],
    isTransactional: false,
  },
]

const minorVersion = (step: number) =>
  programVersion.replace(/\d+\.\d+$/, minor => `${parseInt(minor, 10) + step}.0`)

/** What it may do once no program is left that needs what it drops. */
const contract: NextMigration = {
  name: 'Contract',
  statements: [
    'alter table verification drop column note',
    'alter table verification_outcome drop column score_version',
    'drop table note',
  ],
  oldestProgram: minorVersion(1),
}

describeWithRedis('An installation of two API processes and a worker', function () {
  this.timeout(600_000)
  const folder = temporaryFolder()
  const current: Release = { version: programVersion, folder: root, migrations: [] }
  const next: Release = { version: minorVersion(1), folder: '', migrations: expand }
  const afterNext: Release = { version: minorVersion(2), folder: '', migrations: [...expand, contract] }
  before(async () => {
    for (const release of [next, afterNext]) {
      release.folder = join(folder.path, release.version)
      await makeRelease(release)
    }
  })

  it('is upgraded and rolled back by one version, twice, under load: no request fails, and nothing is lost', async () => {
    const steps = [
      migrate(next, allowCurrent),
      rollTo(next),
      rollTo(current),
      rollTo(next),
      migrate(afterNext, refuseCurrent),
      rollTo(afterNext),
      rollTo(next),
      rollTo(afterNext),
      { ...killEverything, settle: letCurrentJudge },
    ]
    const plan = planInTurn(...steps.map(fault => ({ fault, lastsMs: 100, gapMs: 100 })))
    const { requests } = await runPlan({
      plan,
      roles: ['api', 'api', 'worker'],
      clients: 4,
      quietMs: 300,
      keepsConnections: true,
    })
    expect(requests).to.be.greaterThan(100)
  })
})

/** Restarts the processes as another release. */
function rollTo({ version, folder }: Release): Fault {
  return {
    ...restartInTurn,
    name: `rolling update to ${version}`,
    async begin(run, planned) {
      for (const { options } of run.system.processes) options.program = folder
      await restartInTurn.begin(run, planned)
      for (const { origin } of run.system.processes) {
        const metrics = await (await fetch(`${origin}/metrics`)).text()
        expect(metrics).to.match(new RegExp(`^age_verification_build_info\\{version="${version}"`, 'm'))
      }
    },
  }
}

/** Lets this program judge the result: it finds all that it needs, since what was dropped came with the next version. */
async function letCurrentJudge({ system }: Run): Promise<void> {
  const allow = `update service_setting set value = $1 where name = 'oldest_program'`
  await system.database.primary.query(allow, [programVersion], databaseName)
}

/** `database migrate` of a release, while a long transaction keeps its first migration from locking a table. */
function migrate(release: Release, check: (run: Run) => Promise<void>): Fault {
  return {
    name: `migration to ${release.version}`,
    lane: 'database',
    weight: 0,
    lastsMs: [0, 0],
    effects: [],
    async begin(run) {
      const { database, operatorEnv } = run.system
      const long = await database.primary.connect(databaseName)
      await long.query('begin; select from verification limit 1')
      const operator = spawn(
        process.execPath,
        [join(release.folder, 'operator/main.ts'), 'database', 'migrate', '--json'],
        { env: operatorEnv },
      )
      const output = text(operator.stdout)
      const messages = text(operator.stderr)
      operator.stderr.once('data', () => void long.query('commit'))
      const [code] = await once(operator, 'close')
      await long.end()
      expect(code, await messages).to.equal(0)
      const { applied } = JSON.parse(await output)
      expect(release.migrations.map(({ name }) => name).slice(-applied.length)).to.deep.equal(applied)
      expect(await messages).to.match(/^The migration \w+ could not lock its tables; trying again$/m)
      await check(run)
    },
  }
}

/** This program's command line and doctor work on the schema of the next version. */
async function allowCurrent({ system }: Run): Promise<void> {
  const names = expand.map(({ name }) => name)
  const operate = (...args: string[]) => runCommand(system.operatorEnv, [...args, '--json'])
  expect(JSON.parse((await operate('database', 'status')).out)).to.deep.equal({
    program: programVersion,
    oldestProgram: minorVersion(0),
    applied: [...knownMigrations(), ...names],
    pending: [],
    newer: names,
  })
  expect(await operate('database', 'migrate')).to.include({ code: 0, out: '{"applied":[]}\n' })
  expect(JSON.parse((await operate('tenant', 'list')).out)).not.to.deep.equal([])
  expect(await checkSchema(system)).to.deep.include({ ok: true })
}

/** On the schema of the version after the next, they say which version is needed; so does a start. */
async function refuseCurrent({ system }: Run): Promise<void> {
  const sentence = `The database schema needs at least version ${minorVersion(1)} of this program; this is ${programVersion}, which does not know Expand, Validate, Index, Contract`
  for (const args of [
    ['tenant', 'list'],
    ['database', 'migrate'],
  ]) {
    expect(await runCommand(system.operatorEnv, args)).to.deep.equal({
      code: 1,
      out: '',
      err: `${sentence}\n`,
    })
  }
  expect(await checkSchema(system)).to.deep.include({ ok: false, message: sentence })
  const { options } = system.processes.at(-1)!
  const { logFile: _, program: __, ...launch } = options
  const { code, out } = await launchService({ ...launch, port: 0, env: { ...options.env, METRICS_PORT: '' } })
    .ended
  expect([code, fatalMessages(out)]).to.deep.equal([1, [sentence]])
}

/** What this program's doctor says about the schema. */
async function checkSchema({ operatorEnv }: Run['system']): Promise<unknown> {
  const { out } = await runCommand(operatorEnv, ['doctor', '--json'])
  return JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'database-schema')
}
