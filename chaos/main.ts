/** `npm run chaos`: runs the service through faults, and checks that it keeps its promises. */
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { redisIsMissing } from '#test/support/redis.ts'
import { readCommandLine } from './options.ts'
import { faultsNamed } from './plan.ts'
import { describeViolations, verdict } from './report.ts'
import { runChaos } from './run-chaos.ts'

const faultsDefault = 60

const options = readCommandLine(process.argv.slice(2))
const { seed = randomInt(1_000_000), minutes, only, apis, workers, clients, pace } = options
const missing = redisIsMissing()
if (missing) {
  console.error(`Redis is needed: ${missing}.`)
  process.exit(1)
}
const folder = await openFolder(options.folder)
const command = [
  'npm run chaos --',
  ...process.argv.slice(2),
  ...(options.seed === undefined ? [`--seed ${seed}`] : []),
]
// Exit handlers end what runs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
// Restarted processes load the same modules again and again.
process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
console.log(`Seed ${seed}. Logs are in ${folder}.\n`)
const result = await runChaos({
  seed,
  folder,
  roles: [...Array(apis).fill('api'), ...Array(workers).fill('worker')],
  cache: options.redis ?? (seed % 2 === 1 ? 'sentinel' : 'single'),
  topology: options.topology ?? (seed % 4 < 2 ? 'proxy' : 'hosts'),
  clients,
  endsLifetimes: true,
  pace,
  perLane: 2,
  faultsMax: options.faults ?? (minutes === undefined ? faultsDefault : Number.POSITIVE_INFINITY),
  minutesMax: minutes ?? Number.POSITIVE_INFINITY,
  faults: faultsNamed(only),
  print: line => console.log(line),
})
console.log(`\n${verdict(result)}`)
if (result.violations.length > 0) {
  console.log(
    `\n${describeViolations(result.violations)}\n\nReplay with: ${command.join(' ')}\nLogs: ${folder}`,
  )
} else if (options.folder === undefined) {
  await rm(folder, { recursive: true, force: true })
}
process.exit(result.violations.length > 0 ? 1 : 0)

async function openFolder(given: string | undefined): Promise<string> {
  if (given === undefined) return await mkdtemp(join(tmpdir(), 'age-verification-chaos-'))
  await mkdir(given, { recursive: true })
  return resolve(given)
}
