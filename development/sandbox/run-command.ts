import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { ProgramError } from '../run-program.ts'

/**
 * Runs a command in this terminal until it ends; `stopped` terminates it. Returns its exit code, or 128 and the signal's
 * number if a signal ended it. Throws a `ProgramError` if it cannot be run.
 */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  stopped: AbortSignal,
): Promise<number> {
  if (stopped.aborted) return 128 + constants.signals.SIGTERM
  const child = spawn(program, args, { env, stdio: 'inherit' })
  stopped.addEventListener('abort', () => child.kill('SIGTERM'))
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals]
    return code ?? 128 + constants.signals[signal]
  } catch (error) {
    throw new ProgramError(`The command ${program} cannot be run: ${(error as Error).message}`)
  }
}
