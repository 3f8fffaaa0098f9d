/** `npm run operator -- NOUN VERB --option value …` */

import { readEnvironment } from '../read-environment.ts'
import { openOperatorScope } from './open-scope.ts'
import { runOperator } from './run-operator.ts'

// An exit, unlike a signal's own end, takes a database along that was started for this command.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

process.exitCode = await runOperator(process.argv.slice(2), {
  openScope: () => openOperatorScope(readEnvironment()),
  out: process.stdout,
  err: process.stderr,
})
