/** `npm run demo`: the whole flow on the terminal. Exit code 0, or 1 with a line that says what was not as expected. */

import { once } from 'node:events'
import { Command } from 'commander'
import { readConfig } from '#server/configuration/config.ts'
import { readEnvironment } from '#server/configuration/read-environment.ts'
import { findService, startService } from '../local-service.ts'
import { runProgram } from '../run-program.ts'
import { createScreen } from './screen.ts'
import { runSteps } from './steps.ts'

const environmentHelp = `
It uses the service that runs on PORT (3000) with the data of DATA_DIR (.data), if there is one: set both as for npm start.
Otherwise it starts a temporary service, which it stops at the end.`

const screen = createScreen(process.stdout)
// The reader has closed the pipe, as `head` does: the service that was started must be stopped.
const unread = new Promise<number>(resolve => process.stdout.on('error', () => resolve(1)))

await runProgram(async ({ closing, stopped }) => {
  new Command('npm run demo --')
    .description('Show the whole flow in the terminal, from a new tenant to a revoked token.')
    .addHelpText('after', environmentHelp)
    .allowExcessArguments(false)
    .exitOverride()
    .parse()
  const interrupted = once(stopped, 'abort').then(() => stopped.reason as number)
  return await Promise.race([demo(closing), interrupted, unread])
}, screen.failure)

async function demo(closing: AsyncDisposableStack): Promise<number> {
  const env = readEnvironment()
  const { baseUrl } = readConfig(env)
  const running = await findService(env)
  if (running) screen.note(`Using the service that runs at ${baseUrl}, with a new tenant.`)
  else screen.note(`No service runs at ${baseUrl}: starting a temporary one.`)
  await runSteps(running ?? (await startService(closing, screen.note)), screen, closing)
  screen.end('All checks passed.')
  return 0
}
