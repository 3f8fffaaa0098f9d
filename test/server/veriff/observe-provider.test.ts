import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import type { IdentityProvider } from '#domain/ports.ts'
import { observeProvider } from '#server/providers/veriff/observe-provider.ts'
import type { VeriffClientOptions } from '#server/providers/veriff/veriff-client.ts'
import { metricOf } from '../../harness/metrics.ts'
import { against, closeAll, created, sessionRequest } from './client-harness.ts'
import { decisionBody, sessionId, vendorData } from './payloads.ts'

describe('Calls to the provider are counted', () => {
  afterEach(closeAll)

  /** Makes a call, whether or not it fails, and returns the only result that was counted. */
  async function resultOf(
    listener: RequestListener,
    call: (provider: IdentityProvider) => Promise<unknown>,
    operation: string,
    options: Partial<VeriffClientOptions> = {},
  ): Promise<string[]> {
    const registry = new Registry()
    const { client } = await against(listener, { observe: observeProvider(registry), ...options })
    await call(client).catch(() => undefined)
    const name = 'age_verification_provider_request_duration_seconds_count'
    const counted: string[] = []
    for (const result of results) {
      const count = await metricOf(registry, name, { operation, result })
      if (count > 0) counted.push(`${result} ${count}`)
    }
    expect(await metricOf(registry, name)).to.equal(counted.length)
    return counted
  }

  const create = (provider: IdentityProvider) => provider.createSession(sessionRequest)
  const answering =
    (status: number, body: unknown): RequestListener =>
    (_request, response) =>
      response.writeHead(status).end(JSON.stringify(body))

  const results = [
    'success',
    'timeout',
    'unreachable',
    'rejected',
    'server_error',
    'foreign_response',
    'invalid_response',
    'unknown_status',
    'error',
  ]

  for (const [result, listener] of Object.entries<RequestListener>({
    success: answering(201, created),
    rejected: answering(401, { status: 'fail', code: '1803' }),
    foreign_response: answering(404, '<html>'),
    server_error: answering(503, {}),
    invalid_response: answering(201, {}),
    timeout: () => {},
    unreachable: request => request.socket.destroy(),
  })) {
    it(`as ${result}`, async () => {
      const deadlineMs = result === 'timeout' ? 20 : 10_000
      expect(await resultOf(listener, create, 'create_session', { deadlineMs })).to.deep.equal([
        `${result} 1`,
      ])
    })
  }

  const fetch = (provider: IdentityProvider) => provider.fetchDecision(sessionId, vendorData)

  it('as unknown_status when the decision has one', async () => {
    const decided = answering(200, decisionBody({ status: 'approved_with_remarks' }))
    expect(await resultOf(decided, fetch, 'fetch_decision')).to.deep.equal(['unknown_status 1'])
  })
})
