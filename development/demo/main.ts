/** `npm run demo`: the whole flow on the terminal. Exit code 0, or 1 with a line that says what was not as expected. */

import { readEnvironment } from '#server/read-environment.ts'
import { describeStartError } from '#server/start-error.ts'
import { DemoAssertionError } from './demo-assertion-error.ts'
import { openService } from './open-service.ts'
import { runScenario } from './run-scenario.ts'
import { createScreen } from './screen.ts'

const screen = createScreen(process.stdout)
const closing = new AsyncDisposableStack()

let stopping = false
async function stopWith(exitCode: number): Promise<void> {
  // Ctrl-C reaches the process twice if npm forwards it: the second signal must not interrupt the clean-up.
  if (stopping) return
  stopping = true
  await closing.disposeAsync()
  process.exit(exitCode)
}
process.on('SIGINT', () => stopWith(130))
process.on('SIGTERM', () => stopWith(143))
// The reader has closed the pipe, as `head` does: stop the service that was started.
process.stdout.on('error', () => stopWith(1))

try {
  screen.title('Age verification: the complete flow')
  const service = await openService(readEnvironment(), screen, closing)
  await runScenario({ service, screen }, closing)
} catch (error) {
  if (!stopping)
    screen.failure(error instanceof DemoAssertionError ? error.message : describeStartError(error))
  process.exitCode = 1
} finally {
  await closing.disposeAsync()
}
