import { CommanderError } from 'commander'
import { createProgram } from './create-program.ts'
import { describeError } from './describe-error.ts'
import type { OpenedScope } from './open-scope.ts'
import type { Terminal } from './output.ts'
import type { Perform } from './perform.ts'
import { printable } from './printable.ts'

export interface OperatorEnvironment {
  /** Called only for a command whose arguments are valid. */
  openScope(): Promise<OpenedScope>
  out: Terminal
  err: Terminal
}

/** Runs one command. Returns the exit code: 0, or 1 with one line on standard error. */
export async function runOperator(
  args: string[],
  { openScope, out, err }: OperatorEnvironment,
): Promise<number> {
  // Not read by commander, because its own errors must be printed in the right format too.
  const json = args.includes('--json')
  const perform: Perform = async command => {
    const { scope, isEmbedded, close } = await openScope()
    try {
      const output = await command(scope, { err, isEmbedded })
      out.write(json ? `${printable(JSON.stringify(output.json))}\n` : output.text(out))
    } finally {
      await close()
    }
  }
  try {
    await createProgram(perform, text => out.write(text)).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const description = describeError(error)
    err.write(`${printable(json ? JSON.stringify(description) : description.message)}\n`)
    return 1
  }
}
