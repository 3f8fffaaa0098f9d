import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { integer } from '#development/option-values.ts'

export interface CommandLine {
  rounds?: number
  /** The length of a round. */
  seconds?: number
  connections: number
  tenants: number
  /** Stored before the measurement, from a year. */
  verifications: number
  /** Requests per second of `soak`; what `overload` takes for the capacity of the service. */
  rate?: number
  /** Additional environment variables of the service, not of the checkout that it is compared with. */
  env: Record<string, string>
  /** Another checkout of the project, measured in the same rounds as the row `baseline`. */
  compare?: string
  /** The folder for CPU profiles of the service; profiling slows it down. */
  profile?: string
  /** The only processors that the service and the load run on. */
  serviceProcessor?: number
  loadProcessor?: number
  /** Whether to write the tables to `test/bench/results`. */
  save: boolean
}

/** What one benchmark is measured with. */
export type BenchOptions = CommandLine & { rounds: number; seconds: number }

/** What the command line says about a benchmark. */
interface Named {
  name: string
  description: string
  isUsual: boolean
}

/** Parses the command line. Ends the process with a message for the terminal where it is wrong. */
export function readCommandLine<Each extends Named>(args: string[], all: readonly Each[]) {
  const width = Math.max(...all.map(({ name }) => name.length))
  const sentenceOf = ({ description, isUsual }: Named) =>
    `${description.split('\n')[0]}${isUsual ? '' : ' Only if it is named.'}`
  const list = all.map(benchmark => `  ${benchmark.name.padEnd(width)}  ${sentenceOf(benchmark)}`)
  const command = new Command('npm run bench --')
    .argument('[names...]', 'benchmarks, or all', (name: string, names: string[] = []) => {
      if (name === 'all' || all.some(benchmark => benchmark.name === name)) return [...names, name]
      throw new InvalidArgumentError('There is no such benchmark.')
    })
    .option('--rounds <number>', 'rounds', positiveNumber)
    .option('--seconds <number>', 'length of a round', positiveNumber)
    .option('--connections <number>', 'concurrent connections', positiveNumber, 32)
    .option('--tenants <number>', 'tenants that the requests are distributed over', positiveNumber, 100)
    .option('--verifications <number>', 'verifications of the last year, stored before', positiveNumber, 0)
    .option('--rate <number>', 'requests per second of soak; the capacity, for overload', positiveNumber)
    .option('--env <name=value>', 'environment variable of the service; repeatable', variable, {})
    .option('--compare <folder>', 'measures another checkout in the same rounds, without --env', path =>
      resolve(path),
    )
    .option('--profile <folder>', 'writes CPU profiles of the service, whose results then are worse', path =>
      resolve(path),
    )
    .option('--service-processor <number>', 'the only processor that the service runs on', processor)
    .option('--load-processor <number>', 'the only processor that the load runs on', processor)
    .option('--save', 'writes the tables of what needs no name to test/bench/results', false)
    .addHelpText('after', `\nBenchmarks:\n${list.join('\n')}`)
    .parse(args, { from: 'user' })
  const names = (command.processedArgs[0] ?? []) as string[]
  const isSelected = ({ name, isUsual }: Named) =>
    names.length === 0 ? isUsual : names.includes('all') || names.includes(name)
  return { options: command.opts<CommandLine>(), selected: all.filter(isSelected) }
}

const positiveNumber = integer(1, 999_999_999)
const processor = integer(0, 999)

function variable(text: string, previous: Record<string, string>): Record<string, string> {
  const end = text.indexOf('=')
  if (end < 1) throw new InvalidArgumentError('It must be NAME=VALUE.')
  return { ...previous, [text.slice(0, end)]: text.slice(end + 1) }
}
