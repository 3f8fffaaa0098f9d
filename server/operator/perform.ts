import type { OperatorScope } from '#domain/scope.ts'
import type { Output, Terminal } from './output.ts'

/** Runs a command in a new scope and prints its output. */
export type Perform = (command: OperatorCommand) => Promise<void>

/** The work of a command whose arguments have been parsed. Progress is written to `err`. */
export type OperatorCommand = (scope: OperatorScope, err: Terminal) => Promise<Output>
