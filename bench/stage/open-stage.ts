import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#server/config.ts'
import { startPostgres } from '#server/embedded/postgres.ts'
import { createLog } from '#server/log.ts'
import { configuredOutside } from '#server/outside.ts'
import { createServices, type Services } from '#server/services.ts'
import { redisIsMissing, startTestRedis } from '#test/support/redis.ts'
import { startServer } from '../children/start-server.ts'
import { addTenants, type BenchTenant } from './add-tenants.ts'

/** What every contender is measured on: databases, provider, tenants. */
export interface Stage {
  folder: string
  /** The environment of a contender's process. */
  env: Record<string, string>
  veriff: { apiKey: string; sharedSecret: string }
  tenants: BenchTenant[]
  /** The service's own parts, by which the stage is set. */
  services: Services
  close(): Promise<void>
}

/** Starts a durable PostgreSQL of its own in a folder of its own, a Redis where there is one, the provider. */
export async function openStage({ tenants }: { tenants: number }): Promise<Stage> {
  const closing = new AsyncDisposableStack()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'age-verification-bench-'))
    closing.defer(() => rm(folder, { recursive: true, force: true }))
    const postgres = await startPostgres({ folder, port: 0, databaseName: 'bench' })
    closing.defer(() => postgres.close())
    const redis = redisIsMissing() ? undefined : await startTestRedis()
    closing.defer(() => redis?.close())
    const provider = await startServer({
      program: join(import.meta.dirname, '../children/provider.ts'),
      folder,
    })
    closing.defer(() => provider.close())
    const veriff = { apiKey: 'bench', sharedSecret: randomBytes(32).toString('base64url') }
    const env = {
      DATABASE_URL: postgres.url,
      ...(redis ? { REDIS_URL: redis.url } : {}),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      VERIFF_BASE_URL: provider.origin,
      VERIFF_API_KEY: veriff.apiKey,
      VERIFF_SHARED_SECRET: veriff.sharedSecret,
      OIDC_ISSUER: 'http://127.0.0.1:9/none',
      OIDC_AUDIENCE: 'console',
      ROLE: 'api',
    }
    const config = readConfig(env)
    const outside = configuredOutside(config)!
    const services = await createServices({ config, outside, log: createLog('silent'), bell: { ring() {} } })
    closing.defer(() => services.close())
    const added = await addTenants(services.scopeFor({ kind: 'operator' }), tenants)
    const close = closing.move()
    return { folder, env, veriff, services, tenants: added, close: () => close.disposeAsync() }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}
