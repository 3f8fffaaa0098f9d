import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** The benchmarks and programs to run. */
  names: string[]
  rounds: number
  /** The length of a round. */
  seconds: number
  connections: number
  tenants: number
  /** Whether `rows` measures ten million verifications too. */
  large: boolean
  /** Another checkout of the project, measured in the same rounds as the target `baseline`. */
  compare?: string
  /** The folder for CPU profiles of the service; profiling slows it down. */
  profile?: string
  /** Whether to write the tables to `test/bench/results`. */
  save: boolean
}

interface Names {
  benchmarks: readonly string[]
  furtherBenchmarks: readonly string[]
  programs: readonly string[]
}

export const usage = ({
  benchmarks,
  furtherBenchmarks,
  programs,
}: Names) => `npm run bench -- [NAME …] [OPTION …]

Benchmarks (default: all): ${benchmarks.join(', ')}
Benchmarks, run only if named: ${furtherBenchmarks.join(', ')}
Programs, run only if named: ${programs.join(', ')}

  --rounds N        rounds per target (default: 5)
  --seconds N       length of a round (default: 1)
  --connections N   concurrent connections (default: 32)
  --tenants N       tenants that the requests are distributed over (default: 100)
  --large           measure the benchmark rows with 10,000,000 verifications too
  --compare FOLDER  measure another checkout of the project in the same rounds
  --profile FOLDER  write CPU profiles of the service; its results are then not comparable
  --save            write the tables to test/bench/results
  --help            show this help`

/** Parses the command line; returns undefined for --help. Throws a `TypeError` with a message for the terminal. */
export function readOptions(args: string[], names: Names): BenchOptions | undefined {
  const { benchmarks, furtherBenchmarks, programs } = names
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1' },
      connections: { type: 'string', default: '32' },
      tenants: { type: 'string', default: '100' },
      large: { type: 'boolean', default: false },
      compare: { type: 'string' },
      profile: { type: 'string' },
      save: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const known = [...benchmarks, ...furtherBenchmarks, ...programs]
  const unknown = positionals.find(name => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`Unknown name ${unknown}. Known names: ${known.join(', ')}.`)
  return {
    names: positionals.length > 0 ? positionals : [...benchmarks],
    rounds: count('rounds', values.rounds),
    seconds: count('seconds', values.seconds),
    connections: count('connections', values.connections),
    tenants: count('tenants', values.tenants),
    large: values.large,
    ...(values.compare ? { compare: resolve(values.compare) } : {}),
    ...(values.profile ? { profile: resolve(values.profile) } : {}),
    save: values.save,
  }
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new TypeError(`--${name} must be a whole number greater than 0.`)
  return Number(text)
}
