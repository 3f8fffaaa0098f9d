import type { DatabaseOptions } from '#domain/schema/orm.config.ts'
import type { OperatorScope } from '#domain/scope.ts'
import type { Output, Streamed, Terminal } from './output.ts'

/** How commands run. */
export interface Performers {
  perform: Perform
  performOnDatabase: PerformOnDatabase
  /** Runs `doctor`. */
  performDiagnosis: () => Promise<void>
}

/** Runs a command in a new scope and prints its output. */
export type Perform = (command: OperatorCommand) => Promise<void>

/** The work of a command whose arguments have been parsed. */
type OperatorCommand = (scope: OperatorScope, context: CommandContext) => Promise<Output | Streamed>

export interface CommandContext {
  /** Progress is written here. */
  err: Terminal
  /** Whether the command acts on the embedded database. */
  isEmbedded: boolean
}

/** Runs a command that needs no scope, only the database, whatever its schema. */
export type PerformOnDatabase = (command: DatabaseCommand) => Promise<void>

type DatabaseCommand = (
  connection: Pick<DatabaseOptions, 'url' | 'applicationName'>,
  err: Terminal,
) => Promise<Output>
