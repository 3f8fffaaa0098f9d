import { Writable } from 'node:stream'
import { type OpenedScope, openOperatorScope } from '#server/operator/open-scope.ts'
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

/** The same on a test database that the command takes for the embedded one. */
export async function operateEmbedded(
  env: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const open = async () => ({
    ...(await openOperatorScope({ ENCRYPTION_KEY: testEncryptionKey, ...env })),
    isEmbedded: true,
  })
  return await run(open, args)
}

/** Runs one command in this process, with exactly these variables. */
export async function operateInProcess(env: Record<string, string>, args: string[]): Promise<CommandResult> {
  return await run(() => openOperatorScope(env), args)
}

async function run(openScope: () => Promise<OpenedScope>, args: string[]): Promise<CommandResult> {
  const [out, err] = [collector(), collector()]
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
