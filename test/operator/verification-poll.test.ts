import { createServer, type RequestListener } from 'node:http'
import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { listenLocally } from '../harness/listen-locally.ts'
import { stored } from '../harness/stored.ts'
import { call, control, tenantClient } from '../harness/tenant-client.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useNewTenant, useService } from '../harness/use-service.ts'
import { environmentOf, operatorOn } from './operate.ts'

describe('operator verification poll', () => {
  const service = useService()
  const tenant = useNewTenant(service)
  const client = tenantClient(service, tenant)
  const { json, error, text } = operatorOn(() => environmentOf(service))
  const poll = (...options: string[]) => json('verification', 'poll', '--per-second', '100', ...options)
  const ofTenant = () => ['--tenant', tenant.tenantId]
  const setDecisionMode = (decision: string) =>
    call(`${service.veriffUrl}/control/mode`, { method: 'PUT', json: { decision } })
  beforeEach(async () => {
    await setWebhookUrl(forTenant(service.operator(), tenant.tenantId), {
      url: 'https://receiver.example.com/hook',
    })
  })
  afterEach(() => setDecisionMode('ok'))

  /** A verification whose provider has decided without a callback. */
  async function startDecided(outcome = 'approve-adult'): Promise<string> {
    const { verificationId } = (await client.start()).body
    await control(service, verificationId, 'decide', { outcome, delivery: 'missing' })
    return verificationId
  }

  it('completes what the provider has decided, with one event each, and leaves the rest', async () => {
    const [approved, denied] = [await startDecided(), await startDecided('decline')]
    const { verificationId: open } = (await client.start()).body
    const reported = await client.decided('approve-adult')
    expect(await poll(...ofTenant())).to.deep.equal({ polled: 3, changed: 2, failed: 0 })
    expect((await client.status(approved)).body).to.include({ status: 'approved', over18: true })
    expect((await client.status(denied)).body.status).to.equal('denied')
    expect((await client.status(open)).body).to.include({ status: 'pending', completedAt: null })
    expect(await poll(...ofTenant())).to.deep.equal({ polled: 1, changed: 0, failed: 0 })
    const deliveries = await stored<{ id: string }>(
      service,
      'select verification_id as id from delivery where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(deliveries.map(({ id }) => id)).to.have.members([approved, denied, reported])
  })

  it('polls those of a period, of a tenant, or a single one', async () => {
    const first = await startDecided()
    const { createdAt } = (await client.status(first)).body
    const second = await startDecided()
    const { createdAt: boundary } = (await client.status(second)).body
    const other = await createTestTenant(service)
    const none = { polled: 0, changed: 0, failed: 0 }
    const single = { polled: 1, changed: 1, failed: 0 }
    expect(await poll('--tenant', other.tenantId)).to.deep.equal(none)
    expect(await poll(...ofTenant(), '--to', createdAt)).to.deep.equal(none)
    expect(await poll('--from', createdAt, '--to', boundary)).to.deep.equal(single)
    expect((await client.status(first)).body.status).to.equal('approved')
    expect((await client.status(second)).body.status).to.equal('pending')
    expect(await poll('--verification', second)).to.deep.equal(single)
    expect(await poll('--verification', second)).to.deep.equal({ ...single, changed: 0 })
  })

  it('goes on while the provider fails, exits with 1, and is completed by a repetition', async () => {
    const ids = [await startDecided(), await startDecided()]
    await setDecisionMode('error-503')
    const { code, out, err } = await text('verification', 'poll', ...ofTenant())
    expect({ code, err }).to.deep.equal({ code: 1, err: '' })
    expect(out).to.match(/^Failed +2\n\n2 could not be polled: Veriff returned 503\. Repeat the command\.$/m)
    await setDecisionMode('ok')
    expect(await poll(...ofTenant())).to.include({ changed: 2, failed: 0 })
    for (const id of ids) expect((await client.status(id)).body.status).to.equal('approved')
  })

  /** `test/server/veriff` has every answer that is not the provider’s, and every delay that one can ask for. */
  describe('against answers that are not the provider’s, or not understood', () => {
    const pollAgainst = async (listener: RequestListener, verificationId: string) => {
      const { url, close } = await listenLocally(createServer(listener))
      const operator = operatorOn(() => ({ ...environmentOf(service), VERIFF_BASE_URL: url }))
      return await operator.text('verification', 'poll', '--verification', verificationId).finally(close)
    }

    it('counts a page, an unknown status, or a decision of another verification as failed, and exits with 1', async () => {
      const { verificationId } = (await client.start()).body
      const page: RequestListener = (_, response) => response.writeHead(404).end('<html>')
      const decision =
        (fields: object): RequestListener =>
        ({ url = '' }, response) => {
          const decided = { id: url.split('/').at(-2), status: 'approved', vendorData: verificationId }
          response.end(JSON.stringify({ status: 'success', verification: { ...decided, ...fields } }))
        }
      for (const [listener, message] of [
        [page, /Veriff returned 404, but not in its own form/],
        [decision({ status: 'approved_with_remarks' }), /unknown status "approved_with_remarks"/],
        [decision({ vendorData: newId(new Date()) }), /the decision of another verification/],
      ] as const) {
        const { code, out } = await pollAgainst(listener, verificationId)
        expect(code).to.equal(1)
        expect(out)
          .to.match(/Failed +1$/m)
          .and.to.match(message)
        expect((await client.status(verificationId)).body.status).to.equal('pending')
      }
    })
  })

  it('refuses what it cannot poll', async () => {
    const failing = async (...options: string[]) => (await error('verification', 'poll', ...options)).message
    const unknown = newId(new Date())
    expect(await failing('--verification', unknown)).to.match(/No verification matches/)
    expect(await failing('--tenant', unknown)).to.match(/No tenant has the id/)
    expect(await failing('--verification', unknown, '--from', '2026-01-01')).to.match(/cannot be used with/)
    expect(await failing('--per-second', '101')).to.equal('--per-second must be from 1 to 100.')
    expect(await failing('--from', '2026-02-01', '--to', '2026-01-01')).to.equal('--to must be after --from.')
    await startDecided()
    const { message } = await operatorOn(() => ({ DATABASE_URL: service.databaseUrl })).error(
      'verification',
      'poll',
    )
    expect(message).to.match(/VERIFF_API_KEY is required/)
  })
})
