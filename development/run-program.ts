import { constants } from 'node:os'
import { CommanderError } from 'commander'
import { AgeVerificationError, ServiceConnectionError } from '#clients/typescript/src/index.ts'
import { describeStartError } from '#server/configuration/start-error.ts'

/** An expected reason why a program fails. The message is one line for the terminal. */
export class ProgramError extends Error {
  override name = 'ProgramError'
}

interface ProgramContext {
  /** Disposed of at the end, in whichever way the program ends. */
  closing: AsyncDisposableStack
  /** Aborted by SIGINT and SIGTERM. The reason is the exit code that shells give to them. */
  stopped: AbortSignal
}

/**
 * Runs a program of the command line, which returns its exit code. An error is passed to `onError` as a text, on standard
 * error by default; the exit code is 1 then.
 */
export async function runProgram(
  run: (context: ProgramContext) => Promise<number>,
  onError: (message: string) => void = console.error,
): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Ctrl-C reaches the process twice if npm forwards it: the second signal must not interrupt the clean-up.
    process.on(signal, () => stopping.abort(128 + constants.signals[signal]))
  }
  try {
    await using closing = new AsyncDisposableStack()
    process.exitCode = await run({ closing, stopped: stopping.signal })
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1
    // Commander has printed its own errors.
    if (!(error instanceof CommanderError)) onError(describe(error))
  }
  if (stopping.signal.aborted) process.exit()
}

function describe(error: unknown): string {
  if (error instanceof ServiceConnectionError) return String(error.cause ?? error.message)
  const isExpected = error instanceof ProgramError || error instanceof AgeVerificationError
  return isExpected ? error.message : describeStartError(error)
}
