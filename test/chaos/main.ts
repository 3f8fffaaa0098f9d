/** `npm run chaos`: runs the service through faults, and checks that it keeps its promises. */
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { redisIsMissing } from '../harness/engines/redis.ts'
import { faultsNamed } from './faults/all-faults.ts'
import { type CommandLine, readCommandLine } from './options.ts'
import { planRandomly } from './plan.ts'
import { describeViolations, verdict } from './report.ts'
import { type ChaosOptions, runChaos } from './run-chaos.ts'

const faultsDefault = 60
const quietMs = 2_000

const args = process.argv.slice(2)
const commandLine = readCommandLine(args)
const missing = redisIsMissing()
if (missing) {
  console.error(`Redis is needed: ${missing}.`)
  process.exit(1)
}
// Tasks that run on exit end what runs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const folder = await openFolder(commandLine.folder)
// Restarted processes load the same modules again and again.
process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
const { seed = randomInt(1_000_000) } = commandLine
console.log(`Seed ${seed}. Logs are in ${folder}.\n`)
const isKept = await run(chaosOptions({ ...commandLine, seed }))
if (isKept && commandLine.folder === undefined) await rm(folder, { recursive: true, force: true })
if (!isKept) console.log(`\nReplay with: ${replayCommand()}\nLogs: ${folder}`)
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

/** An odd seed has a Sentinel, and two of four have a list of hosts. */
function chaosOptions(given: CommandLine & { seed: number }): ChaosOptions {
  const { seed, faults, minutes, only, apis, workers, clients, pace, redis, topology } = given
  return {
    seed,
    folder,
    roles: [...Array(apis).fill('api'), ...Array(workers).fill('worker')],
    cache: redis ?? (seed % 2 === 1 ? 'sentinel' : 'single'),
    topology: topology ?? (seed % 4 < 2 ? 'proxy' : 'hosts'),
    clients,
    endsLifetimes: true,
    quietMs: quietMs * pace,
    plan: planRandomly({ seed, perLane: 2, pace, faults: faultsNamed(only) }),
    faultsMax: faults ?? (minutes === undefined ? faultsDefault : Number.POSITIVE_INFINITY),
    minutesMax: minutes ?? Number.POSITIVE_INFINITY,
    print: line => console.log(line),
  }
}

function replayCommand(): string {
  const named = commandLine.seed === undefined ? [`--seed ${seed}`] : []
  return ['npm run chaos --', ...args, ...named].join(' ')
}

async function openFolder(given: string | undefined): Promise<string> {
  if (given === undefined) return await mkdtemp(join(tmpdir(), 'age-verification-chaos-'))
  await mkdir(given, { recursive: true })
  return resolve(given)
}
