import { mock } from 'node:test'
import { expect } from 'chai'
import { type CryptoKey, exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { type Authenticate, createAuthenticator } from '#console-api/authenticate.ts'
import { DomainError } from '#domain/errors.ts'
import { audience, newSigningKey, type SignInProvider, startSignInProvider } from './sign-in-provider.ts'

describe('signing in to the console', () => {
  const time = { now: new Date('2026-11-20T12:00:00.000Z') }
  const clock = () => time.now
  let provider: SignInProvider
  let authenticate: Authenticate

  beforeEach(async () => {
    time.now = new Date('2026-11-20T12:00:00.000Z')
    provider = await startSignInProvider(clock)
    authenticate = createAuthenticator({ issuer: provider.issuer, audience, clock })
  })
  afterEach(() => provider.close())

  const seconds = () => Math.floor(time.now.getTime() / 1000)

  async function toDomainError(authorization: string | undefined): Promise<DomainError> {
    const answer = await authenticate(authorization).catch((error: unknown) => error)
    if (answer instanceof DomainError) return answer
    throw new Error(`Not refused: ${JSON.stringify(answer)}`)
  }

  async function expectNotSignedIn(token: string) {
    const refusal = await toDomainError(`Bearer ${token}`)
    expect(refusal.code).to.equal('UNAUTHENTICATED_TENANT')
    expect(refusal.message).to.match(/sign-in/)
  }

  it('knows the user by issuer and subject, and by the name that the provider tells', async () => {
    const token = await provider.sign({ sub: 'ann', name: 'Ann', email: 'ann@example.com' })
    const user = await authenticate(`Bearer ${token}`)
    const { issuer } = provider
    expect(user).to.deep.equal({ issuer, subject: 'ann', name: 'Ann', email: 'ann@example.com' })
  })

  it('asks the provider once where its keys are, however many sign in at once, and again after a failure', async () => {
    const asked: string[] = []
    const counting = (...[address, options]: Parameters<typeof fetch>) => {
      asked.push(new URL(String(address)).pathname)
      return fetch(address, options)
    }
    const { issuer } = provider
    authenticate = createAuthenticator({ issuer, audience, clock, fetch: counting })
    const authorization = `Bearer ${await provider.sign()}`
    provider.away = true
    const refused = await Promise.all(Array.from({ length: 20 }, () => toDomainError(authorization)))
    expect(refused.map(({ code }) => code)).to.deep.equal(Array(20).fill('INTERNAL_ERROR'))
    expect(asked).to.deep.equal(['/.well-known/openid-configuration'])
    provider.away = false
    const users = await Promise.all(Array.from({ length: 20 }, () => authenticate(authorization)))
    expect(users).to.have.length(20)
    expect(asked.slice(1)).to.deep.equal(['/.well-known/openid-configuration', '/jwks'])
  })

  it('takes no names that are not text', async () => {
    const user = await authenticate(`Bearer ${await provider.sign({ name: { first: 'Ann' }, email: 7 })}`)
    expect(user).to.include({ name: undefined, email: undefined })
  })

  it('takes the scheme in any case, and an audience among others', async () => {
    const token = await provider.sign({ aud: ['other', audience] })
    expect(await authenticate(`bearer ${token}`)).to.include({ subject: 'somebody' })
  })

  for (const alg of ['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA']) {
    it(`takes ${alg}`, async () => {
      const key = await newSigningKey(alg)
      provider.published.push(key.publicJwk)
      expect(await authenticate(`Bearer ${await provider.sign({}, key)}`)).to.include({ subject: 'somebody' })
    })
  }

  describe('is refused', () => {
    const headers = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      'Bearer a b',
      'Bearer avk_0123',
      'x.y.z',
    ]
    for (const header of headers) {
      it(`with the header ${JSON.stringify(header)}`, async () => {
        expect((await toDomainError(header)).code).to.equal('UNAUTHENTICATED_TENANT')
      })
    }

    const wrongClaims: Record<string, () => Record<string, unknown>> = {
      'of another issuer': () => ({ iss: 'https://other.example.com' }),
      'of the issuer but for a slash': () => ({ iss: `${provider.issuer}/` }),
      'without an issuer': () => ({ iss: undefined }),
      'for another audience': () => ({ aud: 'other' }),
      'without an audience': () => ({ aud: undefined }),
      'that has expired': () => ({ exp: seconds() }),
      'that is valid later': () => ({ nbf: seconds() + 60 }),
      'without an expiry': () => ({ exp: undefined }),
      'with an expiry in words': () => ({ exp: 'tomorrow' }),
      'without a subject': () => ({ sub: undefined }),
      'with an empty subject': () => ({ sub: '' }),
      'with a number for a subject': () => ({ sub: 7 }),
      'with a subject of 256 characters': () => ({ sub: 'a'.repeat(256) }),
      'with a NUL in the subject': () => ({ sub: 'a\0b' }),
    }
    for (const [name, claims] of Object.entries(wrongClaims)) {
      it(`with a token ${name}`, async () => await expectNotSignedIn(await provider.sign(claims())))
    }

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

    it('with a signature by another key under a known name', async () => {
      const thief = { ...(await newSigningKey('RS256')), kid: provider.key.kid }
      await expectNotSignedIn(await provider.sign({}, thief))
    })

    it('with a key that the provider does not publish', async () => {
      await expectNotSignedIn(await provider.sign({}, await newSigningKey('RS256')))
    })

    it('with a token that was changed', async () => {
      const [head, , signature] = (await provider.sign()).split('.')
      const [, body] = (await provider.sign({ sub: 'owner' })).split('.')
      await expectNotSignedIn(`${head}.${body}.${signature}`)
    })
  })

  describe('when the provider changes its keys', () => {
    afterEach(() => mock.timers.reset())

    it('takes the new one within 40 seconds, and no longer the one withdrawn', async () => {
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

    it('does not ask the provider anew for every unknown key', async () => {
      let asked = 0
      const counting: typeof fetch = (...request) => {
        asked++
        return fetch(...request)
      }
      const { issuer, jwksUri } = provider
      authenticate = createAuthenticator({ issuer, audience, jwksUri, clock, fetch: counting })
      for (let time = 0; time < 5; time++) {
        await expectNotSignedIn(await provider.sign({}, await newSigningKey('ES256')))
      }
      expect(asked).to.equal(1)
    })
  })

  describe('while the provider is away', () => {
    it('says that it is our failure, not the token, and goes on when it is back', async () => {
      provider.away = true
      const authorization = `Bearer ${await provider.sign()}`
      expect((await toDomainError(authorization)).code).to.equal('INTERNAL_ERROR')
      provider.away = false
      expect(await authenticate(authorization)).to.include({ subject: 'somebody' })
    })

    it('says the same when nothing listens at its address', async () => {
      await provider.close()
      const refusal = await toDomainError(`Bearer ${await provider.sign()}`)
      expect(refusal.code).to.equal('INTERNAL_ERROR')
      expect(refusal.message).not.to.include(provider.issuer)
    })

    it('goes on with the keys that it knows', async () => {
      await authenticate(`Bearer ${await provider.sign()}`)
      provider.away = true
      expect(await authenticate(`Bearer ${await provider.sign({ sub: 'ann' })}`)).to.include({
        subject: 'ann',
      })
    })

    it('does not take keys from a document that is of another issuer', async () => {
      const other = await startSignInProvider(clock)
      const misled: typeof fetch = (address, init) =>
        fetch(String(address).replace(provider.issuer, other.issuer), init)
      authenticate = createAuthenticator({ issuer: provider.issuer, audience, clock, fetch: misled })
      const token = await other.sign({ iss: provider.issuer })
      const answer = await authenticate(`Bearer ${token}`).catch((error: DomainError) => error.code)
      await other.close()
      expect(answer).to.equal('INTERNAL_ERROR')
    })
  })
})
