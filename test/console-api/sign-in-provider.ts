import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export const audience = 'console'

export interface SigningKey {
  kid: string
  alg: string
  privateKey: CryptoKey
  publicJwk: JWK
}

export interface SignInProvider {
  issuer: string
  jwksUri: string
  key: SigningKey
  /** What the JWKS holds; keys may be added and taken away. */
  published: JWK[]
  /** Answers 503 to everything while true. */
  away: boolean
  /** A token of the provider's that is right in every respect, but for what is changed. */
  sign(claims?: Record<string, unknown>, by?: SigningKey): Promise<string>
  close(): Promise<void>
}

/** A sign-in provider of one's own on a free port: discovery, a JWKS, and tokens for any subject. */
export async function startSignInProvider(now: () => Date): Promise<SignInProvider> {
  const key = await newSigningKey('RS256')
  const answer: RequestListener = (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (provider.away) return response.writeHead(503).end('{}')
    const { issuer, jwksUri } = provider
    if (request.url === '/.well-known/openid-configuration') {
      return response.end(JSON.stringify({ issuer, jwks_uri: jwksUri }))
    }
    return response.end(JSON.stringify({ keys: provider.published }))
  }
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: SignInProvider = {
    issuer,
    jwksUri: `${issuer}/jwks`,
    key,
    published: [key.publicJwk],
    away: false,
    sign: async (claims = {}, by = key) => {
      const iat = Math.floor(now().getTime() / 1000)
      const payload = { iss: issuer, aud: audience, sub: 'somebody', iat, exp: iat + 3600, ...claims }
      return await new SignJWT(payload).setProtectedHeader({ alg: by.alg, kid: by.kid }).sign(by.privateKey)
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return provider
}

export async function newSigningKey(alg: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = randomUUID()
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
