import { Writable } from 'node:stream'
import { readConfig } from '#server/config.ts'
import { openOperatorScope } from '#server/operator/open-scope.ts'
import { openStorage } from '#server/operator/open-storage.ts'
import { runOperator } from '#server/operator/run-operator.ts'

export interface CommandResult {
  code: number
  out: string
  err: string
}

/** Encrypts secrets in test databases. */
export const testEncryptionKey = Buffer.alloc(32, 7).toString('base64')

/** Runs one command in this process. */
export async function operate(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  const [out, err] = [collector(), collector()]
  const environment = { ENCRYPTION_KEY: testEncryptionKey, ...env }
  const code = await runOperator(args, {
    openScope: () => openOperatorScope(environment),
    openStorage: async () => await openStorage(readConfig(environment)),
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
