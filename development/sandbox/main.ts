/** `npm run sandbox -- COMMAND`: runs a command, such as your tests, with a temporary service. Exits with its exit code. */
import { CommanderError } from 'commander'
import { readEnvironment } from '#server/read-environment.ts'
import { describeStartError } from '#server/start-error.ts'
import { DemoAssertionError } from '../demo/demo-assertion-error.ts'
import { startTemporaryService } from '../demo/open-service.ts'
import { createSandbox } from './create-sandbox.ts'
import { readSandboxOptions, type SandboxOptions } from './options.ts'
import { runCommand } from './run-command.ts'

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())

try {
  process.exitCode = await run(readSandboxOptions(process.argv.slice(2)))
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1
  // Commander has printed its own errors.
  if (!(error instanceof CommanderError)) console.error(describe(error))
}

/** Starts the service, runs the command and stops the service. A signal ends the command first. */
async function run({ command, forwardTo }: SandboxOptions): Promise<number> {
  const env = readEnvironment()
  await using closing = new AsyncDisposableStack()
  // Retries of webhook events come soon, so that tests need not wait for minutes.
  const settings = { WEBHOOK_RETRY_DELAYS: '1,2' }
  const onProgress = (line: string) => console.error(line)
  const service = await startTemporaryService({ env, settings, onProgress }, closing)
  const variables = await createSandbox(service, forwardTo, closing)
  return await runCommand(command, { ...env, ...variables }, stopped.signal)
}

function describe(error: unknown): string {
  return error instanceof DemoAssertionError ? error.message : describeStartError(error)
}
