import { Writable } from 'node:stream'
import { diagnose } from '#operator/doctor/diagnose.ts'
import { openOperatorScope } from '#operator/open-scope.ts'
import { openStorage } from '#operator/open-storage.ts'
import { runOperator } from '#operator/run-operator.ts'
import { readConfig } from '#server/configuration/config.ts'
import { resolveFiles } from '#server/configuration/read-environment.ts'
import { ProgramError } from './run-program.ts'

export type Environment = Record<string, string | undefined>

export interface CommandResult {
  code: number
  out: string
  err: string
}

/** Runs an operator command in this process, with exactly these variables. */
export async function runCommand(
  env: Environment,
  args: string[],
  openScope = () => openOperatorScope(env),
): Promise<CommandResult> {
  const [out, err] = [collect(), collect()]
  const code = await runOperator(args, {
    openScope,
    openStorage: async () => await openStorage(readConfig(env)),
    diagnose: async () => await diagnose(() => resolveFiles(env)),
    out: out.stream,
    err: err.stream,
  })
  return { code, out: out.text(), err: err.text() }
}

/** The JSON that an operator command prints. Throws a `ProgramError` if the command fails. */
export async function operate<Result>(env: Environment, ...args: string[]): Promise<Result> {
  const { code, out, err } = await runCommand(env, [...args, '--json'])
  if (code === 0) return JSON.parse(out)
  throw new ProgramError(`The operator command "${args.join(' ')}" failed: ${JSON.parse(err).message}`)
}

function collect() {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}
