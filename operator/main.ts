/** `npm run operator -- NOUN VERB --option value …` */

import { cacheModules } from './cache-modules.ts'

cacheModules()

// Exit handlers stop a database that was started for this command; a signal's default action would skip them.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
// A reader such as `head` has what it needs.
process.stdout.once('error', () => process.exit(1))

// Loaded only now, so that they are cached.
const [{ readConfig }, { readEnvironment }, { openOperatorScope }, { openStorage }, { runOperator }] =
  await Promise.all([
    import('#server/config.ts'),
    import('#server/read-environment.ts'),
    import('./open-scope.ts'),
    import('./open-storage.ts'),
    import('./run-operator.ts'),
  ])

process.exitCode = await runOperator(process.argv.slice(2), {
  openScope: () => openOperatorScope(readEnvironment()),
  openStorage: async () => await openStorage(readConfig(readEnvironment())),
  async diagnose() {
    const { diagnose } = await import('./doctor/diagnose.ts')
    return await diagnose(readEnvironment)
  },
  out: process.stdout,
  err: process.stderr,
})
