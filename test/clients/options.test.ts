import { expect } from 'chai'
import { AgeVerificationClient, signTestEvent, verifyWebhook } from '#clients/typescript/src/index.ts'
import { TokenVerifier } from '#clients/typescript/src/offline/token-verifier.ts'
import { apiKey, baseUrl, clientWith, errorOf } from './scripted-fetch.ts'
import { type OptionVector, optionErrors, optionVectors } from './test-vectors.ts'

describe('The options of the TypeScript client', () => {
  for (const { name, option, value, verdict, reason } of optionVectors) {
    it(`are ${verdict} (${reason}): ${name}`, async () => {
      const using = use[option](value ?? undefined)
      if (verdict === 'valid') {
        await using
        return
      }
      const error = await errorOf(using)
      expect(error).to.be.instanceOf(TypeError)
      expect(error)
        .to.have.property('message')
        .that.matches(optionErrors[reason])
        .and.contains(option)
        .and.not.match(/avk_|whsec_/)
    })
  }
})

/** Uses an option, without a connection. */
const use: Record<OptionVector['option'], (value: string | undefined) => Promise<unknown>> = {
  baseUrl: async value => new AgeVerificationClient({ ...clientWith('unreachable').options, baseUrl: value }),
  apiKey: async value => new AgeVerificationClient({ baseUrl, apiKey: value }),
  issuer: async value => new TokenVerifier({ issuer: value }),
  audience: async value =>
    await new TokenVerifier({ issuer: baseUrl }).verify('no token', { audience: value }),
  maxAgeSeconds: async value => {
    const maxAgeSeconds = value as number | undefined
    const { client } = clientWith({
      status: 200,
      json: { valid: false, over18: false, reason: 'TOKEN_EXPIRED' },
    })
    await client.validateToken('no token', { maxAgeSeconds })
    await new TokenVerifier({ issuer: baseUrl }).verify('no token', { audience: 'tenant', maxAgeSeconds })
  },
  async secret(value) {
    const { headers, body } = await signTestEvent(
      typeof value === 'string' && /^\S+$/.test(value) ? value : apiKey,
    )
    return await verifyWebhook(body, headers, [value])
  },
}
