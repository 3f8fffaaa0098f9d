import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { DemoAssertionError } from '../demo/demo-assertion-error.ts'

/**
 * Runs a command in this terminal until it ends; `stopped` terminates it. Returns its exit code, or 128 and the signal's
 * number if a signal ended it. Throws a `DemoAssertionError` if it cannot be run.
 */
export function runCommand(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  stopped: AbortSignal,
): Promise<number> {
  const [program = '', ...args] = command
  return new Promise((resolve, reject) => {
    if (stopped.aborted) return resolve(128 + constants.signals.SIGTERM)
    const child = spawn(program, args, { env, stdio: 'inherit' })
    const terminate = () => child.kill('SIGTERM')
    stopped.addEventListener('abort', terminate)
    child.once('error', error =>
      reject(new DemoAssertionError(`The command ${program} cannot be run: ${error.message}`)),
    )
    child.once('close', (code, signal) => {
      stopped.removeEventListener('abort', terminate)
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}
