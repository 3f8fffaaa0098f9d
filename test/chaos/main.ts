/** `npm run chaos`: runs the service through faults, and checks that it keeps its promises. */
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '#development/ensure-built.ts'
import { haproxy } from '../harness/engines/haproxy.ts'
import { redisServer } from '../harness/engines/redis.ts'
import { faultsNamed } from './faults/all-faults.ts'
import { readCommandLine } from './options.ts'
import { planRandomly } from './plan.ts'
import { describeViolations, verdict } from './report.ts'
import { type ChaosOptions, runChaos } from './run-chaos.ts'

const args = process.argv.slice(2)
const { seed = randomInt(1, 1_000_000), only, ...line } = readCommandLine(args)
// Two seeds of four have HAProxy in front of PostgreSQL.
const topology = line.topology ?? (seed % 4 < 2 ? 'haproxy' : 'address')
const missing = [redisServer, ...(topology === 'address' ? [] : [haproxy])].find(one => one.isMissing)
if (missing) {
  console.error(`A program is needed: ${missing.reason}.`)
  process.exit(1)
}
// Tasks that run on exit end what runs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const folder = await mkdtemp(join(tmpdir(), 'age-verification-chaos-'))
// Restarted processes load the same modules again and again.
process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
await ensureBuilt(step => console.log(`${step} …`))
console.log(`Seed ${seed}. Logs are in ${folder}.\n`)
const isKept = await run({
  seed,
  folder,
  roles: ['api', 'api', 'worker', 'worker'],
  topology,
  clients: 2 + availableParallelism(),
  endsLifetimes: true,
  quietMs: 2_000,
  plan: planRandomly({ seed, perLane: 2, pace: 1, faults: faultsNamed(only) }),
  faultsMax: line.faults ?? (line.minutes === undefined ? 60 : Number.POSITIVE_INFINITY),
  minutesMax: line.minutes ?? Number.POSITIVE_INFINITY,
  print: line => console.log(line),
})
if (isKept) await rm(folder, { recursive: true, force: true })
else {
  const replay = args.includes('--seed') ? args : [...args, '--seed', seed]
  console.log(`\nReplay with: npm run chaos -- ${replay.join(' ')}\nLogs: ${folder}`)
}
process.exit(isKept ? 0 : 1)

/** Returns whether all promises were kept, as far as the run could tell. */
async function run(options: ChaosOptions): Promise<boolean> {
  try {
    const result = await runChaos(options)
    console.log(`\n${verdict(result)}`)
    if (result.violations.length > 0) console.log(`\n${describeViolations(result.violations)}`)
    return result.violations.length === 0
  } catch (error) {
    console.error('\nThe run failed:', error)
    return false
  }
}
