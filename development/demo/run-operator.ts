import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ProgramError } from './run-program.ts'

const program = join(import.meta.dirname, '..', '..', 'operator', 'main.ts')

export interface OperatorContext {
  /** The environment of the service. */
  env: NodeJS.ProcessEnv
  /** Ends commands: one that outlives a temporary service would create its data folder again. */
  signal?: AbortSignal
}

/** Runs an operator command and returns its JSON. Throws a `ProgramError` if it fails. */
export async function runOperator<Result>(
  { env, signal }: OperatorContext,
  ...args: readonly string[]
): Promise<Result> {
  try {
    const options = { env, ...(signal && { signal }) }
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--json'], options)
    return JSON.parse(stdout)
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string }
    const reason = stderr ? messageIn(stderr) : message
    throw new ProgramError(`The operator command "${args.join(' ')}" failed: ${reason}`, { cause })
  }
}

/** The message of an error that the operator printed as JSON, or else all that was printed. */
function messageIn(stderr: string): string {
  try {
    return JSON.parse(stderr).message
  } catch {
    return stderr.trim()
  }
}
