import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { addressesOf, demoTenant } from '../processes/demo-tenant.ts'
import { operate } from '../processes/operate.ts'
import { killAll, launchService, type ServiceProcess } from '../processes/service-process.ts'
import { sharedResource } from './shared-resources.ts'

export interface SharedService extends Pick<ServiceProcess, 'baseUrl' | 'env'> {
  /** Of the local webhook receiver. */
  webhookUrl: string
  /** Has its standard output. */
  logFile: string
}

/** A real service for all test files that share one, as `npm start` runs it. Its demo tenant has a history. */
export async function startSharedService(closing: AsyncDisposableStack): Promise<SharedService> {
  // The first start would build it, which these tests don't test.
  await sharedResource('built')
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-shared-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  // Where the test runs as root, PostgreSQL runs as another user, who must be able to reach its data.
  await chmod(folder, 0o711)
  const [dataFolder, logFile] = [join(folder, 'data'), join(folder, 'log')]
  // None falls due while the tests run.
  const env = { WEBHOOK_RETRY_DELAYS: '5400,7200' }
  const service = launchService({ cwd: folder, port: await freePort(), dataFolder, logFile, env })
  closing.defer(() => killAll(folder))
  await service.up()
  const { tenantId } = await demoTenant(service)
  await operate(service, 'demo', 'seed', '--tenant', tenantId, '--verifications', '120')
  const { webhookUrl } = await addressesOf(service)
  return { baseUrl: service.baseUrl, env: service.env, webhookUrl, logFile }
}
