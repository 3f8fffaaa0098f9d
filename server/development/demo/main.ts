/** `npm run demo`: the whole story on the terminal. Exit code 0, or 1 with a line that says what was not as expected. */
import { readEnvironment } from '../../read-environment.ts'
import { describeStartError } from '../../start-error.ts'
import { DemoAssertionError } from './demo-assertion-error.ts'
import { openService } from './open-service.ts'
import { playStory } from './play-story.ts'
import { createScreen } from './screen.ts'

const screen = createScreen(process.stdout)
const closing = new AsyncDisposableStack()

let asked = false
async function endWith(exitCode: number): Promise<void> {
  // Ctrl-C reaches the process twice when npm passes it on: the second one must not cut the first one's work short.
  if (asked) return
  asked = true
  await closing.disposeAsync()
  process.exit(exitCode)
}
process.on('SIGINT', () => endWith(130))
process.on('SIGTERM', () => endWith(143))
// Whoever read along has gone, as `head` does: nothing that was started may be left behind.
process.stdout.on('error', () => endWith(1))

try {
  screen.title('Age verification, from start to finish')
  const service = await openService(readEnvironment(), screen, closing)
  await playStory({ service, screen }, closing)
} catch (error) {
  if (!asked) screen.failure(error instanceof DemoAssertionError ? error.message : describeStartError(error))
  process.exitCode = 1
} finally {
  await closing.disposeAsync()
}
