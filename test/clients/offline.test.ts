import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { TokenVector } from '#clients/test-vectors/generator/tokens.ts'
import { ServiceConnectionError, TokenVerifier } from '#clients/typescript/src/index.ts'
import { eventually } from '../harness/eventually.ts'
import { errorOf, respondWith, type ScriptedResponse } from './scripted-fetch.ts'

const { vectors } = JSON.parse(readFileSync('clients/test-vectors/tokens.json', 'utf8')) as {
  vectors: TokenVector[]
}
const valid = vectors.find(({ verdict }) => verdict === 'valid')!
const revoked = vectors.find(({ reason }) => reason === 'TOKEN_REVOKED')!
const unknownKey = vectors.find(({ reason }) => reason === 'KEY_UNKNOWN')!

/** What the service publishes. A test can change it while a verifier runs. */
interface Published {
  jwks: ScriptedResponse
  list: ScriptedResponse
}

function published({ jwks, statusLists }: TokenVector): Published {
  const list = Object.values(statusLists)[0]
  return {
    jwks: { status: 200, json: jwks },
    list: list !== undefined ? { status: 200, text: list } : { status: 404, text: '' },
  }
}

function verifierOf({ issuer, statusLists, now }: TokenVector, responses: Published) {
  const requests: string[] = []
  const verifier = new TokenVerifier({
    issuer,
    now: () => new Date(now),
    timeoutMs: 100,
    fetch: async (url, { signal }) => {
      requests.push(url)
      if (url === `${issuer}/.well-known/jwks.json`) return await respondWith(responses.jwks, signal)
      return await respondWith(url in statusLists ? responses.list : 'unreachable', signal)
    },
  })
  const verify = ({ token, audience }: TokenVector) => verifier.verify(token, { audience })
  return { verifier, verify, requests }
}

describe('Offline verification of tokens', () => {
  for (const vector of vectors) {
    it(`finds ${vector.verdict} (${vector.reason}) a token ${vector.name}`, async () => {
      const verifying = verifierOf(vector, published(vector)).verify(vector)
      if (vector.verdict === 'undecided') {
        expect(await errorOf(verifying)).to.be.instanceOf(ServiceConnectionError)
        return
      }
      const isValid = vector.verdict === 'valid'
      expect(await verifying).to.include({ valid: isValid, over18: isValid, reason: vector.reason })
    })
  }

  it('returns the claims of a valid token, and of no other', async () => {
    const { claims } = await verifierOf(valid, published(valid)).verify(valid)
    expect(claims).to.include({ iss: valid.issuer, aud: valid.audience, over18: true })
    expect(await verifierOf(revoked, published(revoked)).verify(revoked)).not.to.have.property('claims')
  })

  it('reads the keys and a list once, also for tokens at the same time', async () => {
    const { verify, requests } = verifierOf(valid, published(valid))
    await Promise.all([verify(valid), verify(valid), verify(valid)])
    await verify(valid)
    expect(requests).to.deep.equal([
      `${valid.issuer}/.well-known/jwks.json`,
      ...Object.keys(valid.statusLists),
    ])
  })

  it('reads the keys no more often for tokens of unknown keys, which anyone can make', async () => {
    const { verify, requests } = verifierOf(valid, published(valid))
    for (let times = 0; times < 5; times++) {
      expect(await verify(unknownKey)).to.include({ reason: 'KEY_UNKNOWN' })
    }
    expect(requests).to.have.length(1)
  })

  it('reads no list for a token that is not authentic', async () => {
    for (const vector of vectors.filter(({ reason }) =>
      /SIGNATURE|KEY|ISSUER|AUDIENCE|ALGORITHM/.test(reason),
    )) {
      const { verify, requests } = verifierOf(vector, published(vector))
      await verify(vector)
      expect(requests.filter(url => !url.endsWith('/jwks.json'))).to.deep.equal([])
    }
  })

  it('reads keys and lists at the base URL, where that is not the issuer', async () => {
    const { issuer, audience, now, statusLists } = valid
    const requests: string[] = []
    const verifier = new TokenVerifier({
      issuer,
      baseUrl: 'http://age-verification:3000/',
      now: () => new Date(now),
      async fetch(url) {
        requests.push(url)
        const { jwks, list } = published(valid)
        return await respondWith(url.endsWith('/jwks.json') ? jwks : list)
      },
    })
    expect((await verifier.verify(valid.token, { audience })).valid).to.equal(true)
    const paths = ['/.well-known/jwks.json', ...Object.keys(statusLists).map(uri => new URL(uri).pathname)]
    expect(requests).to.deep.equal(paths.map(path => `http://age-verification:3000${path}`))
  })

  it('does without the list if it is told to', async () => {
    const { verifier, requests } = verifierOf(revoked, published(revoked))
    const { token, audience } = revoked
    expect((await verifier.verify(token, { audience, checkRevocation: false })).valid).to.equal(true)
    expect(requests).to.have.length(1)
  })

  for (const [name, scripted] of [
    ['can not be reached', 'unreachable'],
    ['does not respond', 'hang'],
    ['responds with an error', { status: 503, text: '' }],
    ['returns something else', { status: 200, text: '<html>' }],
    ['returns JSON of another shape', { status: 200, json: { keys: 'none' } }],
  ] as [string, ScriptedResponse][]) {
    it(`decides nothing if the service ${name}`, async () => {
      for (const part of ['jwks', 'list'] as const) {
        const { verify } = verifierOf(valid, { ...published(valid), [part]: scripted })
        expect(await errorOf(verify(valid))).to.be.instanceOf(ServiceConnectionError)
      }
    })
  }

  it('decides again once the service can be reached', async () => {
    const responses = { ...published(valid), jwks: 'unreachable' as ScriptedResponse }
    const { verify } = verifierOf(valid, responses)
    await errorOf(verify(valid))
    responses.jwks = published(valid).jwks
    await eventually(() =>
      verify(valid).then(
        ({ valid }) => valid,
        () => false,
      ),
    )
  })

  it('ignores keys of other kinds', async () => {
    const other = { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid: 'other' }
    const json = {
      keys: [other, null, { ...valid.jwks.keys[0], use: 'enc', kid: 'enc' }, ...valid.jwks.keys],
    }
    const { verify } = verifierOf(valid, { ...published(valid), jwks: { status: 200, json } })
    expect((await verify(valid)).valid).to.equal(true)
  })

  it('takes what is no text, as where a cookie is missing, for malformed', async () => {
    const { verifier } = verifierOf(valid, published(valid))
    const { audience } = valid
    expect(await verifier.verify(undefined as never, { audience })).to.include({ reason: 'TOKEN_MALFORMED' })
  })

  it('needs an audience, without which tokens of all tenants would be valid', async () => {
    const { verifier } = verifierOf(valid, published(valid))
    expect(await errorOf(verifier.verify(valid.token, {} as never))).to.be.instanceOf(TypeError)
  })
})
