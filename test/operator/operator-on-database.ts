import { expect } from 'chai'
import { createTestDatabase } from '../harness/database.ts'
import { type CommandResult, operate } from './operate.ts'

export interface Operator {
  /** Runs a command that must succeed. Returns its JSON output. */
  json<Json = Record<string, unknown>>(...args: string[]): Promise<Json>
  /** Runs a command that must fail. Returns its JSON error. */
  error(...args: string[]): Promise<{ error: string; message: string }>
  text(...args: string[]): Promise<CommandResult>
}

export interface OperatorOnDatabase extends Operator {
  url: string
  close(): Promise<void>
}

export async function openOperator(): Promise<OperatorOnDatabase> {
  const { url, close } = await createTestDatabase()
  return { url, close, ...operatorOn(() => ({ DATABASE_URL: url })) }
}

/** The operator with these variables, which are read for each command. */
export function operatorOn(env: () => Record<string, string>): Operator {
  const text = (...args: string[]) => operate(env(), ...args)
  return {
    text,
    async json<Json>(...args: string[]) {
      const { code, out, err } = await text(...args, '--json')
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect(out.trimEnd().split('\n')).to.have.length(1)
      return JSON.parse(out) as Json
    },
    async error(...args) {
      const { code, out, err } = await text(...args, '--json')
      expect({ code, out }).to.deep.equal({ code: 1, out: '' })
      expect(err).to.match(/^\{[^\n]*\}\n$/)
      return JSON.parse(err)
    },
  }
}
