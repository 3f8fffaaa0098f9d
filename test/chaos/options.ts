import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError, Option } from 'commander'
import { allFaults } from './faults/all-faults.ts'
import { type CacheKind, cacheKinds } from './system/cache.ts'
import { type Topology, topologies } from './system/topology.ts'

export interface CommandLine {
  seed: number
  faults: number | undefined
  minutes: number | undefined
  only: string[]
  apis: number
  workers: number
  clients: number
  pace: number
  redis: CacheKind | undefined
  topology: Topology | undefined
  folder: string | undefined
}

/** Parses the command line. Exits with a message for the terminal where it is wrong. */
export function readCommandLine(args: string[]): CommandLine {
  const command = new Command('npm run chaos --')
    .description('Runs the service through faults, and checks that it keeps its promises.')
    .option('--seed <number>', 'replays the run of that seed', wholeNumber)
    .option(
      '--faults <number>',
      'ends after that many faults (default: 60, or no limit with --minutes)',
      wholeNumber,
    )
    .option('--minutes <number>', 'begins no faults after that time', positiveNumber)
    .option('--only <texts>', 'only faults whose names contain one of the comma-separated texts', list, [])
    .option('--apis <number>', 'API processes', wholeNumber, 2)
    .option('--workers <number>', 'worker processes', wholeNumber, 2)
    .option('--clients <number>', 'concurrent clients', wholeNumber, 2 + availableParallelism())
    .option(
      '--pace <number>',
      'multiplies how long faults last, and the pauses between them',
      positiveNumber,
      1,
    )
    .addOption(
      new Option('--redis <kind>', 'one server, or a Sentinel (default: an odd seed has a Sentinel)').choices(
        cacheKinds,
      ),
    )
    .addOption(
      new Option(
        '--topology <kind>',
        'how processes find the primary (default: a proxy or a list of hosts, by the seed)',
      ).choices(topologies),
    )
    .option('--folder <path>', 'where data and logs are kept (default: a temporary folder)')
    .addHelpText('after', `\nFaults:\n${allFaults.map(({ lane, name }) => `  ${name} (${lane})`).join('\n')}`)
    .parse(args, { from: 'user' })
  return command.opts()
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function positiveNumber(text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new InvalidArgumentError('It must be a positive number.')
  return number
}

function list(text: string): string[] {
  return text.split(',').map(part => part.trim())
}
