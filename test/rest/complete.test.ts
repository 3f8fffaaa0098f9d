import { expect } from 'chai'
import { expectError } from '../harness/expect-error.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

describe('POST /verify/complete', () => {
  const service = useService()
  const tenant = useTenant(service)
  const client = tenantClient(service, tenant)

  it('returns VERIFICATION_MUST_USE_WEBHOOK, whatever the body and the query', async () => {
    for (const [query, call] of [
      ['', {}],
      ['', { json: { verificationId: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1' } }],
      ['', { raw: '{', headers: { 'content-type': 'application/json' } }],
      ['', { raw: Uint8Array.of(0xff, 0xfe) }],
      ['', { raw: 'x'.repeat(1024 * 1024) }],
      ['?a=1&a=2', {}],
    ] as const) {
      const response = await client.send(`/verify/complete${query}`, { method: 'POST', ...call })
      expectError(response, 'VERIFICATION_MUST_USE_WEBHOOK')
      expect(response.headers.get('x-ratelimit-limit')).to.equal('60')
    }
  })

  it('completes nothing', async () => {
    const { verificationId } = (await client.start()).body
    const json = { verificationId, status: 'approved' }
    await client.send('/verify/complete', { method: 'POST', json })
    const { body } = await client.status(verificationId)
    expect(body).to.include({ status: 'pending', completedAt: null })
  })
})
