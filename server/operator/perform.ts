import type { Scope } from '#domain/scope.ts'
import type { Answer } from './answer.ts'
import type { Terminal } from './terminal.ts'

/** What a command does, once it has been understood. `err` takes its progress. */
export type OperatorVerb = (scope: Scope, err: Terminal) => Promise<Answer>

/** Runs a verb in a scope of its own, and prints its answer. */
export type Perform = (verb: OperatorVerb) => Promise<void>
