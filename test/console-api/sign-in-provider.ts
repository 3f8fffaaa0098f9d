import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { listenLocally } from '../harness/listen-locally.ts'

export const audience = 'console'

/** The dashboard's client. */
export const clientId = 'dashboard'

export interface SigningKey {
  kid: string
  alg: string
  privateKey: CryptoKey
  publicJwk: JWK
}

export interface SignInProvider {
  issuer: string
  key: SigningKey
  /** The keys of the JWKS; tests may add and remove keys. */
  published: JWK[]
  /** While true, every response is 503. */
  unavailable: boolean
  /** A valid token of the provider, except for the given claims and key. */
  sign(claims?: Record<string, unknown>, by?: SigningKey, typ?: string): Promise<string>
  close(): Promise<void>
}

/** Making one takes longer than most tests. */
let providerKey: Promise<SigningKey> | undefined

/** Starts a sign-in provider on a free port: discovery document, JWKS, and tokens for any subject. */
export async function startSignInProvider(now: () => Date): Promise<SignInProvider> {
  providerKey ??= newSigningKey('RS256')
  const key = await providerKey
  const handle: RequestListener = (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (provider.unavailable) return response.writeHead(503).end('{}')
    if (request.url === '/.well-known/openid-configuration') {
      return response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks` }))
    }
    return response.end(JSON.stringify({ keys: provider.published }))
  }
  const { url: issuer, close } = await listenLocally(createServer(handle))
  const provider: SignInProvider = {
    issuer,
    key,
    published: [key.publicJwk],
    unavailable: false,
    sign: async (claims = {}, by = key, typ) => {
      const iat = Math.floor(now().getTime() / 1000)
      const payload = { iss: issuer, aud: audience, sub: 'somebody', iat, exp: iat + 3600, ...claims }
      const header = { alg: by.alg, kid: by.kid, ...(typ !== undefined && { typ }) }
      return await new SignJWT(payload).setProtectedHeader(header).sign(by.privateKey)
    },
    close,
  }
  return provider
}

export async function newSigningKey(alg: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = randomUUID()
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
