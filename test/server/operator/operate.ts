import { Writable } from 'node:stream'
import { openOperatorScope } from '#server/operator/open-scope.ts'
import { runOperator } from '#server/operator/run-operator.ts'

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

/** Runs one command in this process, with exactly these variables. */
export async function operateInProcess(env: Record<string, string>, args: string[]): Promise<CommandResult> {
  const [out, err] = [collector(), collector()]
  const openScope = () => openOperatorScope(env)
  const code = await runOperator(args, { openScope, out: out.stream, err: err.stream })
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
