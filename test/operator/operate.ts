import { expect } from 'chai'
import { type CommandResult, runCommand } from '#development/operate.ts'
import { openOperatorScope } from '#operator/open-scope.ts'
import { createTestDatabase } from '../harness/database.ts'
import type { TestService } from '../harness/test-service.ts'

/** Encrypts secrets in test databases. */
export const testEncryptionKey = Buffer.alloc(32, 7).toString('base64')

/** Runs one command in this process, on a test database. */
export function operate(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  return runCommand({ ENCRYPTION_KEY: testEncryptionKey, ...env }, args)
}

/** The same on a test database that the command takes for the embedded one. */
export async function operateEmbedded(
  env: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const full = { ENCRYPTION_KEY: testEncryptionKey, ...env }
  return await runCommand(full, args, async () => ({
    ...(await openOperatorScope(full)),
    embedded: 'the embedded database',
  }))
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

/** The variables with which a command works on a service's database, and asks its provider. */
export function environmentOf({ databaseUrl, veriffUrl, veriff }: TestService): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    VERIFF_BASE_URL: veriffUrl,
    VERIFF_API_KEY: veriff.apiKey,
    VERIFF_SHARED_SECRET: veriff.sharedSecret,
  }
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
