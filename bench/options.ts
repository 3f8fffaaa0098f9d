import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { programs, scenarios } from './scenarios.ts'

export interface BenchOptions {
  /** Scenarios and programs. */
  names: string[]
  rounds: number
  /** Of a round. */
  seconds: number
  connections: number
  tenants: number
  /** Another checkout of the project, measured in the same rounds. */
  beside?: string
  /** The folder for CPU profiles of the service, which make it slower. */
  profile?: string
  /** Whether the tables are written to `bench/results`. */
  save: boolean
}

export const usage = `npm run bench -- [NAME …] [OPTION …]

Measures the hot paths beside a bare floor: ${scenarios.map(({ name }) => name).join(', ')} (all, unless named).
Run when named: ${programs.join(', ')}.

  --rounds N       rounds of each contender (5)
  --seconds N      length of a round (2)
  --connections N  requests at a time (32)
  --tenants N      tenants that the requests are spread over (100)
  --beside FOLDER  another checkout of the project, measured in the same rounds
  --profile FOLDER CPU profiles of the service; its figures are then of no use
  --save           writes the tables to bench/results
  --help           shows this`

/** Reads the command line; undefined where help is asked for. Throws a `TypeError` that says what is wrong. */
export function readOptions(args: string[]): BenchOptions | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '32' },
      tenants: { type: 'string', default: '100' },
      beside: { type: 'string' },
      profile: { type: 'string' },
      save: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const known = [...scenarios.map(({ name }) => name), ...programs]
  const unknown = positionals.find(name => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`There is no ${unknown}; there are ${known.join(', ')}.`)
  return {
    names: positionals.length > 0 ? positionals : scenarios.map(({ name }) => name),
    rounds: count('rounds', values.rounds),
    seconds: count('seconds', values.seconds),
    connections: count('connections', values.connections),
    tenants: count('tenants', values.tenants),
    ...(values.beside ? { beside: resolve(values.beside) } : {}),
    ...(values.profile ? { profile: resolve(values.profile) } : {}),
    save: values.save,
  }
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new TypeError(`--${name} must be a whole number from 1.`)
  return Number(text)
}
