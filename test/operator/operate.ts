import { Writable } from 'node:stream'
import { expect } from 'chai'
import { diagnose } from '#operator/doctor/diagnose.ts'
import { type OpenedScope, openOperatorScope } from '#operator/open-scope.ts'
import { openStorage } from '#operator/open-storage.ts'
import { runOperator } from '#operator/run-operator.ts'
import { readConfig } from '#server/config.ts'
import { resolveFiles } from '#server/read-environment.ts'
import { createTestDatabase } from '../harness/database.ts'

export interface CommandResult {
  code: number
  out: string
  err: string
}

/** Encrypts secrets in test databases. */
export const testEncryptionKey = Buffer.alloc(32, 7).toString('base64')

/** Runs one command in this process, on a test database. */
export function operate(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  return operateInProcess({ ENCRYPTION_KEY: testEncryptionKey, ...env }, args)
}

/** The same on a test database that the command takes for the embedded one. */
export async function operateEmbedded(
  env: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const full = { ENCRYPTION_KEY: testEncryptionKey, ...env }
  return await run(full, args, async () => ({
    ...(await openOperatorScope(full)),
    embedded: 'the embedded database',
  }))
}

/** Runs one command in this process, with exactly these variables. */
export async function operateInProcess(env: Record<string, string>, args: string[]): Promise<CommandResult> {
  return await run(env, args, () => openOperatorScope(env))
}

async function run(
  env: Record<string, string>,
  args: string[],
  openScope: () => Promise<OpenedScope>,
): Promise<CommandResult> {
  const [out, err] = [collector(), collector()]
  const code = await runOperator(args, {
    openScope,
    openStorage: async () => await openStorage(readConfig(env)),
    diagnose: async () => await diagnose(() => resolveFiles(env)),
    out: out.stream,
    err: err.stream,
  })
  return { code, out: out.text(), err: err.text() }
}

function collector() {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}

export interface Operator {
  /** Runs a command that must succeed. Returns its JSON output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect, and fail if they are missing
  json(...args: string[]): Promise<any>
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
    async json(...args) {
      const { code, out, err } = await text(...args, '--json')
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect(out.trimEnd().split('\n')).to.have.length(1)
      return JSON.parse(out)
    },
    async error(...args) {
      const { code, out, err } = await text(...args, '--json')
      expect({ code, out }).to.deep.equal({ code: 1, out: '' })
      expect(err).to.match(/^\{[^\n]*\}\n$/)
      return JSON.parse(err)
    },
  }
}
