import { expect } from 'chai'
import { createTestDatabase } from '#test/support/database.ts'
import { type CommandResult, operate } from './operate.ts'

export interface OperatorOnDatabase {
  url: string
  /** Runs a command that must succeed. Returns its JSON output. */
  json<Json = Record<string, unknown>>(...args: string[]): Promise<Json>
  /** Runs a command that must fail. Returns its JSON error. */
  error(...args: string[]): Promise<{ error: string; message: string }>
  text(...args: string[]): Promise<CommandResult>
  close(): Promise<void>
}

export async function openOperator(): Promise<OperatorOnDatabase> {
  const { url, close } = await createTestDatabase()
  const text = (...args: string[]) => operate({ DATABASE_URL: url }, ...args)
  return {
    url,
    text,
    close,
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
