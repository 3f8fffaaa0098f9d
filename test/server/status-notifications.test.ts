import { expect } from 'chai'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { connectionOptions } from '#domain/postgres/index.ts'
import { openOperatorScope } from '#operator/open-scope.ts'
import { freePort } from '#server/http/free-port.ts'
import { createLog } from '#server/logging/log.ts'
import { createProcessNotifications } from '#server/notifications/process-notifications.ts'
import { startProcess } from '#server/start/start-process.ts'
import { eventually } from '../harness/eventually.ts'
import { expectError } from '../harness/expect-error.ts'
import { metricOf } from '../harness/metrics.ts'
import { decisionOn, eventOn, sendCallback, sessionOf } from '../harness/provider-callback.ts'
import { stored } from '../harness/stored.ts'
import { type ApiResponse, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('Requests that wait for a change by another process', () => {
  const service = useService({ hasNotifications: true })
  const other = useService(() => ({ databaseUrl: service.databaseUrl, hasNotifications: true }))
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)
  afterEach(() => expect(service.statusWaits.isEmpty).to.equal(true))

  const started = async (): Promise<string> => (await client.start()).body.verificationId
  const setSubmitted = (id: string) =>
    stored(service, `update verification set status = 'submitted' where id = $1`, [id])

  /** The response to a request that waits while the change is made. */
  async function during(verificationId: string, change: () => Promise<unknown>): Promise<ApiResponse> {
    const response = client.awaitChange(verificationId, 60)
    await eventually(() => service.statusWaits.count === 1)
    await change()
    return await response
  }

  it('get each status that it commits', async () => {
    const id = await started()
    const session = await sessionOf(service, id)
    const statuses: string[] = []
    for (const report of [eventOn(session, 7001), eventOn(session, 7002), decisionOn(session, 'approved')]) {
      const response = await during(id, () => sendCallback(other, report))
      statuses.push(response.body.status)
    }
    expect(statuses).to.deep.equal(['started', 'submitted', 'approved'])
  })

  it('get the status that a worker commits', async () => {
    const roles = { api: false, worker: true }
    const connection = connectionOptions(service.databaseUrl)
    const worker = createProcessNotifications({ roles, connection, log: createLog('silent') })
    worker.listen(() => {})
    try {
      const id = await started()
      const response = await during(id, async () => {
        await setSubmitted(id)
        worker.statusChanges.publish(id)
      })
      expect(response.body.status).to.equal('submitted')
    } finally {
      await worker.close()
    }
  })

  it('learn that an operator erases their verification', async () => {
    const id = await started()
    const { scope, close } = await openOperatorScope({
      DATABASE_URL: service.databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
    try {
      const erasure = { verificationId: id, skipProvider: true }
      expectError(await during(id, () => eraseVerification(scope, erasure)), 'VERIFICATION_NOT_FOUND')
    } finally {
      await close()
    }
  })

  it('read the status again when the LISTEN connection was lost, because a notification may be too', async () => {
    const id = await started()
    const response = await during(id, async () => {
      await setSubmitted(id)
      const terminated = await stored(
        service,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where query = 'listen status_changed' and datname = current_database()`,
      )
      expect(terminated).to.have.length(2)
    })
    expect(response.body.status).to.equal('submitted')
    const again = await during(id, async () =>
      sendCallback(other, decisionOn(await sessionOf(service, id), 'declined')),
    )
    expect(again.body.status).to.equal('denied')
  })

  it('get the current status when their own process shuts down', async () => {
    const { config, dependencies } = service.services
    const port = await freePort()
    const roles = { api: true, worker: false, metricsPort: false }
    const log = createLog('silent')
    const process = await startProcess({ config: { ...config, port }, dependencies, log, roles })
    const id = await started()
    const draining = tenantClient({ ...service, baseUrl: `http://127.0.0.1:${port}` }, tenant)
    const response = draining.awaitChange(id, 60)
    const waiting = 'age_verification_http_waiting_requests'
    await eventually(async () => (await metricOf(process.services.registry, waiting)) === 1)
    await process.close()
    const { status, body, headers } = await response
    expect(status).to.equal(200)
    expect(body.status).to.equal('pending')
    expect(headers.get('connection')).to.equal('close')
  })
})
