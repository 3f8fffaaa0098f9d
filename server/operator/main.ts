/** `npm run operator -- NOUN VERB --option value …` */

import { readEnvironment } from '../read-environment.ts'
import { openOperatorScope } from './open-scope.ts'
import { runOperator } from './run-operator.ts'

// Exit handlers stop a database that was started for this command; a signal's default action would skip them.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

process.exitCode = await runOperator(process.argv.slice(2), {
  openScope: () => openOperatorScope(readEnvironment()),
  out: process.stdout,
  err: process.stderr,
})
