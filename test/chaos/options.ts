import { Command, InvalidArgumentError, Option } from 'commander'
import { allFaults } from './faults/all-faults.ts'
import { type Topology, topologies } from './system/topology.ts'

export interface CommandLine {
  seed?: number
  faults?: number
  minutes?: number
  only: string[]
  topology?: Topology
}

/** Parses the command line. Exits with a message for the terminal where it is wrong. */
export function readCommandLine(args: string[]): CommandLine {
  const topology = new Option('--topology <kind>', 'how processes find the primary (default: by the seed)')
  return new Command('npm run chaos --')
    .description('Runs the service through faults, and checks that it keeps its promises.')
    .option('--seed <number>', 'replays the run of that seed', positive)
    .option('--faults <number>', 'ends after that many (default: 60, or no limit with --minutes)', positive)
    .option('--minutes <number>', 'begins no faults after that time', positive)
    .option('--only <texts>', 'only faults whose names contain one of the comma-separated texts', list, [])
    .addOption(topology.choices(topologies))
    .addHelpText('after', `\nFaults:\n${allFaults.map(({ lane, name }) => `  ${name} (${lane})`).join('\n')}`)
    .parse(args, { from: 'user' })
    .opts()
}

function positive(text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new InvalidArgumentError('It must be a positive number.')
  return number
}

function list(text: string): string[] {
  return text.split(',').map(part => part.trim())
}
