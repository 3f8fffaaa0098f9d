import { mock } from 'node:test'
import { expect } from 'chai'
import { type CryptoKey, exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { type Authenticate, createAuthenticator } from '#console-api/authenticate.ts'
import { DomainError } from '#domain/errors.ts'
import {
  audience,
  clientId,
  newSigningKey,
  type SignInProvider,
  startSignInProvider,
} from './sign-in-provider.ts'

describe('signing in to the console', () => {
  const time = { now: new Date('2026-11-20T12:00:00.000Z') }
  const clock = () => time.now
  let provider: SignInProvider
  let authenticate: Authenticate

  beforeEach(async () => {
    time.now = new Date('2026-11-20T12:00:00.000Z')
    provider = await startSignInProvider(clock)
    authenticate = createAuthenticator({ issuer: provider.issuer, audience, clientId, clock })
  })
  afterEach(() => provider.close())

  const seconds = () => Math.floor(time.now.getTime() / 1000)

  async function errorOf(authorization: string | undefined): Promise<DomainError> {
    const result = await authenticate(authorization).catch((error: unknown) => error)
    if (result instanceof DomainError) return result
    throw new Error(`Signed in: ${JSON.stringify(result)}`)
  }

  async function expectNotSignedIn(token: string) {
    const error = await errorOf(`Bearer ${token}`)
    expect(error.code).to.equal('UNAUTHENTICATED_TENANT')
    expect(error.message).to.match(/sign-in/)
  }

  async function expectSignedIn(token: string) {
    expect(await authenticate(`Bearer ${token}`)).to.include({ subject: 'somebody' })
  }

  /** The paths that a new authenticator requests at the provider. */
  function recordFetches(): string[] {
    const paths: string[] = []
    const recording = (...[address, options]: Parameters<typeof fetch>) => {
      paths.push(new URL(String(address)).pathname)
      return fetch(address, options)
    }
    const { issuer } = provider
    authenticate = createAuthenticator({ issuer, audience, clientId, clock, fetch: recording })
    return paths
  }

  it('identifies the user by issuer and subject, with name and email from the token', async () => {
    const token = await provider.sign({ sub: 'ann', name: 'Ann', email: 'ann@example.com' })
    const user = await authenticate(`Bearer ${token}`)
    const { issuer } = provider
    expect(user).to.deep.equal({ issuer, subject: 'ann', name: 'Ann', email: 'ann@example.com' })
  })

  for (const alg of ['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA']) {
    it(`accepts ${alg}`, async () => {
      const key = await newSigningKey(alg)
      provider.published.push(key.publicJwk)
      await expectSignedIn(await provider.sign({}, key))
    })
  }

  it('accepts the types of access tokens, and those of older issuers', async () => {
    for (const typ of ['at+jwt', 'application/at+jwt', 'JWT', 'AT+JWT']) {
      await expectSignedIn(await provider.sign({}, provider.key, typ))
    }
  })

  it("accepts a token whose client is the dashboard's, in any claim that names it", async () => {
    for (const claim of ['azp', 'client_id', 'cid', 'appid']) {
      await expectSignedIn(await provider.sign({ [claim]: clientId, gty: 'refresh_token' }))
    }
  })

  it("tolerates 30 s of difference between the issuer's clock and its own", async () => {
    const ahead = { iat: seconds() + 29, nbf: seconds() + 29, exp: seconds() + 3600 }
    for (const claims of [ahead, { nbf: seconds() + 30 }, { exp: seconds() }, { exp: seconds() - 29 }]) {
      await expectSignedIn(await provider.sign(claims))
    }
  })

  describe('fails', () => {
    it('with a header that is no bearer token', async () => {
      for (const header of [
        undefined,
        '',
        'Bearer ',
        'Basic YTpi',
        'Bearer a b',
        'Bearer avk_0123',
        'x.y.z',
      ]) {
        expect((await errorOf(header)).code, header).to.equal('UNAUTHENTICATED_TENANT')
      }
    })

    const wrongClaims: Record<string, () => Record<string, unknown>> = {
      'of another issuer': () => ({ iss: 'https://other.example.com' }),
      'of an issuer with an added slash': () => ({ iss: `${provider.issuer}/` }),
      'without an issuer': () => ({ iss: undefined }),
      'for another audience': () => ({ aud: 'other' }),
      'without an audience': () => ({ aud: undefined }),
      'that has expired 30 s ago': () => ({ exp: seconds() - 30 }),
      'that is not valid for another 31 s': () => ({ nbf: seconds() + 31 }),
      'without an expiry': () => ({ exp: undefined }),
      'with a textual expiry': () => ({ exp: 'tomorrow' }),
      'without a subject': () => ({ sub: undefined }),
      'with an empty subject': () => ({ sub: '' }),
      'with a numeric subject': () => ({ sub: 7 }),
      'with a subject of 256 characters': () => ({ sub: 'a'.repeat(256) }),
      'with a NUL in the subject': () => ({ sub: 'a\0b' }),
      'with a bidirectional override in the subject': () => ({ sub: 'a\u202eb' }),
      'that was issued to another client': () => ({ azp: 'other' }),
      'with an authorized party that is not a string': () => ({ azp: ['dashboard'] }),
      'that was issued to the audience': () => ({ azp: audience }),
      'of another client of RFC 9068': () => ({ client_id: 'other' }),
      'of another client of Okta': () => ({ cid: 'other' }),
      'of another client of Entra': () => ({ appid: 'other' }),
      'of another client with our authorized party': () => ({ azp: clientId, client_id: 'other' }),
      'that is bound to a key of its client': () => ({ cnf: { jkt: 'MTIzNDU2Nzg5MDEyMzQ1Ng' } }),
      'of a client on its own behalf': () => ({ sub: clientId }),
      'of a client on its own behalf by its grant': () => ({ gty: 'client-credentials' }),
      'of a client on its own behalf at Auth0': () => ({ sub: 'service@clients' }),
      'that is an ID token': () => ({ at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }),
      'that is a logout token': () => ({
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      }),
    }
    for (const [name, claims] of Object.entries(wrongClaims)) {
      it(`with a token ${name}`, async () => await expectNotSignedIn(await provider.sign(claims())))
    }

    it('with a token of another type', async () => {
      for (const typ of ['logout+jwt', 'application/logout+jwt', 'dpop+jwt', 'secevent+jwt', '']) {
        await expectNotSignedIn(await provider.sign({}, provider.key, typ))
      }
    })

    it('with an unsigned token', async () => {
      const token = new UnsecuredJWT({ sub: 'somebody' })
        .setIssuer(provider.issuer)
        .setAudience(audience)
        .setExpirationTime(seconds() + 60)
      await expectNotSignedIn(token.encode())
    })

    it('with the public key used as a shared secret', async () => {
      const key = await importJWK(provider.key.publicJwk, 'RS256', { extractable: true })
      const secret = new TextEncoder().encode(await exportSPKI(key as CryptoKey))
      const { kid } = provider.key
      const payload = { iss: provider.issuer, aud: audience, sub: 'somebody', exp: seconds() + 60 }
      const header = { alg: 'HS256', kid }
      await expectNotSignedIn(await new SignJWT(payload).setProtectedHeader(header).sign(secret))
    })

    it('with a signature by another key under a known key id', async () => {
      const forged = { ...(await newSigningKey('RS256')), kid: provider.key.kid }
      await expectNotSignedIn(await provider.sign({}, forged))
    })

    it('with a signature by an unpublished key', async () => {
      await expectNotSignedIn(await provider.sign({}, await newSigningKey('RS256')))
    })

    it('with a modified token', async () => {
      const [head, , signature] = (await provider.sign()).split('.')
      const [, body] = (await provider.sign({ sub: 'owner' })).split('.')
      await expectNotSignedIn(`${head}.${body}.${signature}`)
    })
  })

  describe('when the provider rotates its keys', () => {
    afterEach(() => mock.timers.reset())

    it('accepts the new key within 40 seconds and rejects the withdrawn one', async () => {
      mock.timers.enable({ apis: ['Date'], now: time.now })
      const before = await provider.sign()
      await authenticate(`Bearer ${before}`)
      const next = await newSigningKey('ES256')
      provider.published = [next.publicJwk]
      const token = await provider.sign({}, next)
      mock.timers.tick(39_000)
      expect(await authenticate(`Bearer ${token}`)).to.include({ subject: 'somebody' })
      await expectNotSignedIn(before)
    })

    it('rejects a withdrawn key after 60 seconds, with one fetch for concurrent requests', async () => {
      mock.timers.enable({ apis: ['Date'], now: time.now })
      const paths = recordFetches()
      const token = await provider.sign()
      await authenticate(`Bearer ${token}`)
      provider.published = [(await newSigningKey('ES256')).publicJwk]
      mock.timers.tick(60_000)
      await Promise.all(Array.from({ length: 20 }, () => expectNotSignedIn(token)))
      expect(paths).to.deep.equal(['/.well-known/openid-configuration', '/jwks', '/jwks'])
    })

    it('does not fetch the keys again for every unknown key id', async () => {
      const paths = recordFetches()
      for (let time = 0; time < 5; time++) {
        await expectNotSignedIn(await provider.sign({}, await newSigningKey('ES256')))
      }
      expect(paths).to.deep.equal(['/.well-known/openid-configuration', '/jwks'])
    })
  })

  describe('while the provider is unavailable', () => {
    afterEach(() => mock.timers.reset())

    it('keeps accepting tokens signed with known keys for 10 minutes, and asks for the keys every 30 s', async () => {
      mock.timers.enable({ apis: ['Date'], now: time.now })
      const paths = recordFetches()
      const authorization = `Bearer ${await provider.sign({ sub: 'ann' })}`
      await authenticate(authorization)
      provider.unavailable = true
      for (const elapsedMs of [0, 30_000, 29_000, 1_000, 539_000]) {
        mock.timers.tick(elapsedMs)
        expect(await authenticate(authorization)).to.include({ subject: 'ann' })
      }
      expect(paths.filter(path => path === '/jwks')).to.have.length(4)
      mock.timers.tick(1_000)
      expect((await errorOf(authorization)).code).to.equal('INTERNAL_ERROR')
      provider.unavailable = false
      expect(await authenticate(authorization)).to.include({ subject: 'ann' })
    })

    it('does not use the discovery document of another issuer', async () => {
      const other = await startSignInProvider(clock)
      const redirected: typeof fetch = (address, init) =>
        fetch(String(address).replace(provider.issuer, other.issuer), init)
      authenticate = createAuthenticator({
        issuer: provider.issuer,
        audience,
        clientId,
        clock,
        fetch: redirected,
      })
      const token = await other.sign({ iss: provider.issuer })
      const result = await authenticate(`Bearer ${token}`).catch((error: DomainError) => error.code)
      await other.close()
      expect(result).to.equal('INTERNAL_ERROR')
    })
  })
})
