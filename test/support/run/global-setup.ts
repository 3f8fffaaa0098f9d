import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Resource, serveResources } from './shared-resources.ts'

/** Loaded on demand: `npm run check` needs none of them. */
const resources: Record<string, Resource<unknown>> = {
  cluster: async closing => (await import('./postgres.ts')).prepareCluster(closing),
  dashboard: async () => (await import('./dashboard-build.ts')).buildDashboard(),
  postgres: async closing => (await import('./postgres.ts')).startSharedPostgres(closing),
}

let close: (() => Promise<void>) | undefined

/** Runs once, in mocha's parent process. */
export async function mochaGlobalSetup(): Promise<void> {
  const served = await serveResources(resources)
  // The processes that tests start load the same modules again and again.
  const compileCache = await mkdtemp(join(tmpdir(), 'age-verification-compiled-'))
  process.env.NODE_COMPILE_CACHE ??= compileCache
  close = async () => {
    await served.close()
    await rm(compileCache, { recursive: true, force: true })
  }
}

export async function mochaGlobalTeardown(): Promise<void> {
  await close?.()
}
