import { join } from 'node:path'
import { readConfig } from '#server/config.ts'
import { freePort } from '#server/http/free-port.ts'
import { resolveFiles } from '#server/read-environment.ts'
import { describeStartError } from '#server/start-error.ts'
import { type RunningService, startService } from '#server/start-service.ts'

/** A worker with an unreachable provider, so that nothing but the database is started or connected to. */
export const workerOnly = {
  ROLE: 'worker',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  VERIFF_BASE_URL: 'https://127.0.0.1:9',
  VERIFF_API_KEY: '8b0d1f3c-6f0a-4d5e-9d1c-2f3a4b5c6d7e',
  VERIFF_SHARED_SECRET: 'secret',
  OIDC_ISSUER: 'https://sign-in.example',
  OIDC_AUDIENCE: 'console',
}

/** Starts the service in the test's own process, which is cheaper than another one, with its data in the folder. */
export async function startInProcess(
  folder: string,
  settings: Record<string, string>,
): Promise<RunningService> {
  const env = {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: join(folder, 'in-process'),
    LOG_LEVEL: 'silent',
    ...settings,
  }
  return await startService(readConfig(resolveFiles(env)))
}

/** The lines that a start would write to standard error. Closes the service if it starts. */
export async function startErrorLines(folder: string, settings: Record<string, string>): Promise<string[]> {
  const error = await startInProcess(folder, settings).then(
    service => service.close(),
    (reason: unknown) => reason,
  )
  return describeStartError(error).split('\n')
}
