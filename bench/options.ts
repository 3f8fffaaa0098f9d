import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { programs, scenarios } from './scenarios.ts'

export interface BenchOptions {
  /** The scenarios and programs to run. */
  names: string[]
  rounds: number
  /** The length of a round. */
  seconds: number
  connections: number
  tenants: number
  /** Another checkout of the project, measured in the same rounds as the target `baseline`. */
  compare?: string
  /** The folder for CPU profiles of the service; profiling slows it down. */
  profile?: string
  /** Whether to write the tables to `bench/results`. */
  save: boolean
}

export const usage = `npm run bench -- [NAME …] [OPTION …]

Scenarios, compared with a minimal implementation (default: all): ${scenarios.map(({ name }) => name).join(', ')}
Programs, run only if named: ${programs.join(', ')}

  --rounds N        rounds per target (default: 5)
  --seconds N       length of a round (default: 2)
  --connections N   concurrent connections (default: 32)
  --tenants N       tenants that the requests are distributed over (default: 100)
  --compare FOLDER  measure another checkout of the project in the same rounds
  --profile FOLDER  write CPU profiles of the service; its results are then not comparable
  --save            write the tables to bench/results
  --help            show this help`

/** Parses the command line; returns undefined for --help. Throws a `TypeError` with a message for the terminal. */
export function readOptions(args: string[]): BenchOptions | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '32' },
      tenants: { type: 'string', default: '100' },
      compare: { type: 'string' },
      profile: { type: 'string' },
      save: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const known = [...scenarios.map(({ name }) => name), ...programs]
  const unknown = positionals.find(name => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`Unknown name ${unknown}. Known names: ${known.join(', ')}.`)
  return {
    names: positionals.length > 0 ? positionals : scenarios.map(({ name }) => name),
    rounds: count('rounds', values.rounds),
    seconds: count('seconds', values.seconds),
    connections: count('connections', values.connections),
    tenants: count('tenants', values.tenants),
    ...(values.compare ? { compare: resolve(values.compare) } : {}),
    ...(values.profile ? { profile: resolve(values.profile) } : {}),
    save: values.save,
  }
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new TypeError(`--${name} must be a whole number greater than 0.`)
  return Number(text)
}
