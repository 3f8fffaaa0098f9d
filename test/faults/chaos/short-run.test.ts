import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { faultsNamed } from '../../chaos/plan.ts'
import { describeViolations } from '../../chaos/report.ts'
import { runChaos } from '../../chaos/run-chaos.ts'
import { describeWithOwnRedis } from '../../harness/redis.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'

/** One of each lane. */
const faults = [
  'failover',
  'PostgreSQL one-way',
  'crash of Redis',
  'SIGKILL',
  'broken provider',
  'clock step',
]

describeWithOwnRedis('The service under faults', function () {
  this.timeout(180_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'age-verification-chaos-'))
    await sharedResource('dashboard')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('keeps what it acknowledged, and says nothing that contradicts it', async () => {
    const prepared = await sharedResource<string>('dataFolder')
    const result = await runChaos({
      seed: 1,
      folder,
      roles: ['all', 'all'],
      cache: 'single',
      topology: 'hosts',
      clients: 4,
      endsLifetimes: false,
      perLane: 1,
      pace: 0.4,
      faultsMax: 1,
      minutesMax: 1,
      faults: faultsNamed(faults),
      prepared: {
        cluster: join(prepared, 'postgres'),
        password: await readFile(join(prepared, 'postgres-password'), 'utf8'),
      },
      print: () => undefined,
    })
    expect(result.violations.length, describeViolations(result.violations)).to.equal(0)
    expect(result.faults).to.equal(faults.length)
    expect(result.completions).to.be.greaterThan(0)
    expect(result.attempts).to.be.greaterThan(0)
  })
})
