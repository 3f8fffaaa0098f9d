import { CommanderError } from 'commander'
import { reportChecks } from './commands/doctor.ts'
import { createProgram } from './create-program.ts'
import { describeError } from './describe-error.ts'
import type { Check } from './doctor/check.ts'
import { applicationName, type OpenedScope, throwOperatorDatabaseError } from './open-scope.ts'
import type { Storage } from './open-storage.ts'
import { type Output, printItems, type Streamed, type Terminal, toJson } from './output.ts'
import type { Perform, Performers, PerformOnDatabase } from './perform.ts'
import { printable } from './printable.ts'

interface OperatorEnvironment {
  /** Called only for a command whose arguments are valid. */
  openScope(): Promise<OpenedScope>
  /** Called only for a command on the database itself. */
  openStorage(): Promise<Storage>
  /** Called only for `doctor`. */
  diagnose(): Promise<Check[]>
  out: Terminal
  err: Terminal
}

/**
 * Runs one command. Returns the exit code: 0, or 1 with one line on standard error, or if `doctor` found a fault. A command on
 * the embedded database says so on standard error: what is missing there may be in the database that was meant.
 */
export async function runOperator(
  args: string[],
  { openScope, openStorage, diagnose, out, err }: OperatorEnvironment,
): Promise<number> {
  // Not read by commander, because its own errors must be printed in the right format too.
  const json = args.includes('--json')
  let exitCode = 0
  let embedded: string | undefined
  const print = async (output: Output | Streamed) => {
    if (embedded) err.write(`${printable(`Using ${embedded}`)}\n`)
    if ('items' in output) return await printItems(output.items, json, out)
    exitCode = output.exitCode ?? 0
    out.write(json ? `${toJson(output.json)}\n` : output.text(out))
  }
  const perform: Perform = async command => {
    const opened = await openScope()
    embedded = opened.embedded
    try {
      await print(await command(opened.scope, { err, isEmbedded: embedded !== undefined }))
    } finally {
      await opened.close()
    }
  }
  const performOnDatabase: PerformOnDatabase = async command => {
    const opened = await openStorage()
    embedded = opened.embedded
    try {
      const connection = { url: opened.databaseUrl, applicationName }
      await print(await command(connection, err).catch(throwOperatorDatabaseError))
    } finally {
      await opened.close()
    }
  }
  const performDiagnosis = async () => print(reportChecks(await diagnose()))
  const performers: Performers = { perform, performOnDatabase, performDiagnosis }
  try {
    const program = await createProgram(performers, text => out.write(text), args)
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const { error: code, message: reason } = describeError(error)
    const message = embedded ? `${reason} (in ${embedded})` : reason
    err.write(`${json ? toJson({ error: code, message }) : printable(message)}\n`)
    return 1
  }
}
