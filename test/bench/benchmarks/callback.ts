import { signature } from '#server/providers/veriff/signature.ts'
import { decisionOn } from '../../harness/provider-callback.ts'
import { addVerifications } from '../fixture/add-verifications.ts'
import type { RequestScenario } from './request-benchmark.ts'

export const callback: RequestScenario = {
  name: 'callback',
  description:
    'POST /verify/callback with an approval: completes the verification, signs its token, queues its delivery.',
  single: true,
  async requests(fixture, count) {
    const { apiKey, sharedSecret } = fixture.veriff
    const verifications = await addVerifications(fixture, count)
    return verifications.map(({ id, providerSessionId }) => {
      const body = JSON.stringify(decisionOn({ sessionId: providerSessionId, vendorData: id }, 'approved'))
      const headers = {
        'content-type': 'application/json',
        'x-auth-client': apiKey,
        'x-hmac-signature': signature(body, sharedSecret),
      }
      return { method: 'POST', path: '/verify/callback', headers, body }
    })
  },
}
