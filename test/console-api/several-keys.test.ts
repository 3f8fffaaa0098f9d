import { expect } from 'chai'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { createAuthenticator } from '#console-api/authenticate.ts'
import { createIssuerKeys } from '#console-api/issuer-keys.ts'
import { createIdTokenReader } from '#console-api/read-id-token.ts'

const issuer = 'https://issuer.example'
const clientId = 'dashboard'

interface Pair {
  jwk: JWK
  sign(kid?: string): Promise<string>
}

async function createPair(alg: 'ES256' | 'RS256', kid?: string): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  return {
    jwk: { ...(await exportJWK(publicKey)), ...(kid && { kid }) },
    sign: (named = kid) =>
      new SignJWT({ client_id: clientId, name: 'Ann' })
        .setProtectedHeader({ alg, ...(named && { kid: named }) })
        .setIssuer(issuer)
        .setAudience(clientId)
        .setSubject('ann')
        .setExpirationTime('5m')
        .sign(privateKey),
  }
}

/** An issuer with these keys. */
function issuerWith(keys: JWK[]) {
  const responses: Record<string, unknown> = {
    [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: `${issuer}/jwks` },
    [`${issuer}/jwks`]: { keys },
  }
  const found = createIssuerKeys({ issuer, fetch: async url => Response.json(responses[String(url)]) })
  const options = { issuer, clientId, clock: () => new Date(), keys: found }
  const authenticate = createAuthenticator({ ...options, audience: clientId })
  return {
    authenticate: async (token: string) => (await authenticate(`Bearer ${token}`)).subject,
    readIdToken: createIdTokenReader(options),
  }
}

describe('A token of an issuer that has several keys for it', () => {
  for (const alg of ['ES256', 'RS256'] as const) {
    for (const kid of ['one', undefined]) {
      it(`is accepted with any of them: ${alg}, ${kid ? 'with one key ID' : 'without key IDs'}`, async () => {
        const pairs = await Promise.all([1, 2, 3].map(() => createPair(alg, kid)))
        const { authenticate, readIdToken } = issuerWith(pairs.map(({ jwk }) => jwk))
        const user = { issuer, subject: 'ann', name: undefined, email: undefined }
        for (const { sign } of pairs) {
          expect(await authenticate(await sign())).to.equal('ann')
          expect(await readIdToken(await sign(), user)).to.include({ name: 'Ann' })
        }
        const forged = await createPair(alg, kid)
        expect(await codeOf(authenticate(await forged.sign()))).to.equal('UNAUTHENTICATED_TENANT')
        expect(await codeOf(readIdToken(await forged.sign(), user))).to.equal('INVALID_PARAMETERS')
      })
    }
  }

  it('is tried with eight of them at most', async () => {
    const pairs = await Promise.all(Array.from({ length: 9 }, () => createPair('ES256', 'one')))
    const { authenticate } = issuerWith(pairs.map(({ jwk }) => jwk))
    expect(await authenticate(await pairs[7]!.sign())).to.equal('ann')
    expect(await codeOf(authenticate(await pairs[8]!.sign()))).to.equal('UNAUTHENTICATED_TENANT')
  })
})

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    ({ code }) => code,
  )
}
