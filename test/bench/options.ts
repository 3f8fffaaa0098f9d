import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { integer } from './option-values.ts'

/** What the benchmarks are measured with. */
export interface BenchOptions {
  rounds: number
  /** The length of a round. */
  seconds: number
  connections: number
  tenants: number
  /** Additional environment variables of the service, not of the checkout that it is compared with. */
  env: Record<string, string>
  /** Another checkout of the project, measured in the same rounds as the row `baseline`. */
  compare?: string
  /** The folder for CPU profiles of the service; profiling slows it down. */
  profile?: string
}

/** What the command line says about a benchmark. */
interface Named {
  name: string
  description: string
}

/** Parses the command line. Ends the process with a message for the terminal where it is wrong. */
export function readCommandLine<Each extends Named>(args: string[], all: readonly Each[]) {
  const width = Math.max(...all.map(({ name }) => name.length))
  const list = all.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`)
  const command = new Command('npm run bench --')
    .argument('[names...]', 'benchmarks; all by default', (name: string, names: string[] = []) => {
      if (all.some(benchmark => benchmark.name === name)) return [...names, name]
      throw new InvalidArgumentError('There is no such benchmark.')
    })
    .option('--rounds <number>', 'rounds', positiveNumber, 5)
    .option('--seconds <number>', 'length of a round', positiveNumber, 1)
    .option('--connections <number>', 'concurrent connections', positiveNumber, 32)
    .option('--tenants <number>', 'tenants that the requests are distributed over', positiveNumber, 100)
    .option('--env <name=value>', 'environment variable of the service; repeatable', variable, {})
    .option('--compare <folder>', 'measures another checkout in the same rounds, without --env', path =>
      resolve(path),
    )
    .option('--profile <folder>', 'writes CPU profiles of the service, whose results then are worse', path =>
      resolve(path),
    )
    .addHelpText('after', `\nBenchmarks:\n${list.join('\n')}`)
    .parse(args, { from: 'user' })
  const names = (command.processedArgs[0] ?? []) as string[]
  const selected = all.filter(({ name }) => names.length === 0 || names.includes(name))
  return { options: command.opts<BenchOptions>(), selected }
}

const positiveNumber = integer(1, 999_999_999)

function variable(text: string, previous: Record<string, string>): Record<string, string> {
  const end = text.indexOf('=')
  if (end < 1) throw new InvalidArgumentError('It must be NAME=VALUE.')
  return { ...previous, [text.slice(0, end)]: text.slice(end + 1) }
}
