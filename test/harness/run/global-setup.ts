import { constants } from 'node:os'
import { join } from 'node:path'
import { type Resource, serveResources, sharedResource } from './shared-resources.ts'
import { makeTemporaryRoot } from './temporary-root.ts'

/** Started by the first test file that asks for them. */
const resources: Record<string, Resource<unknown>> = {
  built: async () => (await import('#development/ensure-built.ts')).ensureBuilt(() => undefined),
  clients: async closing => (await import('./packed-clients.ts')).packClientsOnce(closing),
  dataFolder: async closing => (await import('./postgres.ts')).prepareDataFolder(closing),
  service: async closing => (await import('./shared-service.ts')).startSharedService(closing),
  postgres: async closing => (await import('./postgres.ts')).startSharedPostgres(closing),
  emptyDatabase: async () => (await import('../database.ts')).createTestDatabase(),
}

const closing = new AsyncDisposableStack()

/** Runs once, in mocha's parent process. The time limits of tests don't apply to it. */
export async function mochaGlobalSetup(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Mocha ends its worker processes then, but calls no teardown.
    process.once(signal, () => {
      void mochaGlobalTeardown().finally(() => process.exit(128 + constants.signals[signal]))
    })
  }
  const temporary = await makeTemporaryRoot(closing)
  // The processes that tests start load the same modules again and again.
  process.env.NODE_COMPILE_CACHE ??= join(temporary, 'compiled')
  const served = await serveResources(resources)
  closing.defer(() => served.close())
  try {
    if (needsPostgres()) await sharedResource('postgres')
  } catch (error) {
    // An open handle would keep the test run from ending.
    await mochaGlobalTeardown()
    throw error
  }
}

export async function mochaGlobalTeardown(): Promise<void> {
  await closing.disposeAsync()
}

/** `npm run check`, which reads the sources, and the tests in a browser, which share a service, don't wait for a database. */
function needsPostgres(): boolean {
  const named = process.argv.filter(argument => /(\.test\.ts|mocharc\.mjs)$/.test(argument))
  return named.length === 0 || named.some(file => !/test\/(architecture|browser)\//.test(file))
}
