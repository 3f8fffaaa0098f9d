/** `npm run operator -- NOUN VERB --option value …` */

import { readConfig } from '#server/configuration/config.ts'
import { readEnvironment } from '#server/configuration/read-environment.ts'
import { openOperatorScope } from './open-scope.ts'
import { openStorage } from './open-storage.ts'
import { runOperator } from './run-operator.ts'

// Exit handlers stop a database that was started for this command; a signal's default action would skip them.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.once('SIGHUP', () => process.exit(129))
// By default it opens Node's debugger.
process.on('SIGUSR1', () => {})
process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as `head` has what it needs.
  if (code !== 'EPIPE') process.stderr.write(`The output could not be written: ${message}\n`)
  process.exit(1)
})
process.stderr.on('error', () => {})

process.exitCode = await runOperator(process.argv.slice(2), {
  openScope: () => openOperatorScope(readEnvironment()),
  openStorage: async () => await openStorage(readConfig(readEnvironment())),
  async diagnose() {
    const { diagnose } = await import('./doctor/diagnose.ts')
    const checks = await diagnose(readEnvironment)
    // What hangs has been reported, and must not keep the command.
    setTimeout(() => process.exit(), 500).unref()
    return checks
  },
  out: process.stdout,
  err: process.stderr,
})
