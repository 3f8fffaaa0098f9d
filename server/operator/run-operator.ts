import { CommanderError } from 'commander'
import { createProgram } from './create-program.ts'
import { describeError } from './describe-error.ts'
import type { OperatorScope } from './open-scope.ts'
import type { Perform } from './perform.ts'
import type { Terminal } from './terminal.ts'

export interface Surroundings {
  /** Opened only by a command that is complete and right. */
  openScope(): Promise<OperatorScope>
  out: Terminal
  err: Terminal
}

/** Runs one command; answers the exit code: 0, or 1 with one line on standard error. */
export async function runOperator(args: string[], { openScope, out, err }: Surroundings): Promise<number> {
  // Read by hand, because a fault in the command itself has to be told in the right form too.
  const json = args.includes('--json')
  const perform: Perform = async command => {
    const { scope, close } = await openScope()
    try {
      const answer = await command(scope, err)
      out.write(json ? `${JSON.stringify(answer.json)}\n` : answer.text(out))
    } finally {
      await close()
    }
  }
  try {
    await createProgram(perform, text => out.write(text)).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const fault = describeError(error)
    err.write(json ? `${JSON.stringify(fault)}\n` : `${fault.message}\n`)
    return 1
  }
}
