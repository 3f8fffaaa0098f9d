import { expect } from 'chai'
import { ServiceConnectionError } from '#clients/typescript/src/index.ts'
import { TokenVerifier, verifyEvidence } from '#clients/typescript/src/offline/token-verifier.ts'
import { errorOf, respondWith, type ScriptedResponse } from './scripted-fetch.ts'
import { statusListVectors } from './status-list-vectors.ts'
import { ageVectors, evidenceVectors, type TokenVector, tokenVectors as vectors } from './test-vectors.ts'

const valid = vectors.find(({ verdict }) => verdict === 'valid')!
const revoked = vectors.find(({ reason }) => reason === 'TOKEN_REVOKED')!
const unknownKey = vectors.find(({ reason }) => reason === 'KEY_UNKNOWN')!

type Vector = Omit<TokenVector, 'online'>

/** What the service publishes. A test can change it while a verifier runs. */
interface Published {
  jwks: ScriptedResponse
  list: ScriptedResponse
}

function published({ jwks, statusLists }: Vector): Published {
  const list = Object.values(statusLists)[0]
  return {
    jwks: { status: 200, json: jwks },
    list: list !== undefined ? { status: 200, text: list } : { status: 404, text: '' },
  }
}

/** How much later it is than at the beginning of a test. */
let laterMs = 0

function verifierOf({ issuer, statusLists, now }: Vector, responses: Published) {
  const requests: string[] = []
  const verifier = new TokenVerifier({
    issuer,
    now: () => new Date(Date.parse(now) + laterMs),
    timeoutMs: Object.values(responses).includes('hang') ? 100 : undefined,
    fetch: async (url, { signal }) => {
      requests.push(url)
      if (url === `${issuer}/.well-known/jwks.json`) return await respondWith(responses.jwks, signal)
      return await respondWith(url in statusLists ? responses.list : 'unreachable', signal)
    },
  })
  const verify = ({ token, audience }: Vector, options = {}) =>
    verifier.verify(token, { audience, ...options })
  /** The last parts of the paths since the last call. */
  const requested = () => requests.splice(0).map(url => url.split('/').at(-1))
  return { verifier, verify, requests, requested }
}

describe('Verification of the evidence of a month', () => {
  for (const { name, jws, verdict, reason, ...kept } of evidenceVectors) {
    it(`finds ${verdict} (${reason}), with the kept keys alone, ${name}`, async () => {
      const found = await verifyEvidence(jws, kept)
      expect(found).to.include({ valid: verdict === 'valid', reason })
      if (found.valid)
        expect(found.claims).to.include({ month: '2026-11', aud: kept.audience }).and.not.have.property('exp')
      else expect(found).not.to.have.property('claims')
    })
  }

  it('refuses options that decide nothing', async () => {
    const { jws, ...kept } = evidenceVectors[0]!
    expect(await errorOf(verifyEvidence(jws, { ...kept, audience: undefined }))).to.match(
      /audience is missing/,
    )
    expect(await errorOf(verifyEvidence(jws, { ...kept, issuer: undefined }))).to.match(/issuer must be/)
    expect(await errorOf(verifyEvidence(jws, { ...kept, jwks: {} as never }))).to.be.an('error')
  })
})

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

  for (const vector of ageVectors) {
    const { name, reason, maxAgeSeconds } = vector
    it(`finds ${reason} a token ${name}`, async () => {
      const found = await verifierOf(vector, published(vector)).verify(vector, {
        maxAgeSeconds: maxAgeSeconds ?? undefined,
      })
      const isValid = reason === 'OK'
      expect(found).to.include({ valid: isValid, over18: isValid, reason })
      expect('claims' in found).to.equal(isValid)
    })
  }

  it('uses a status list of any size that fits in 1 MiB, as the service spells it', async () => {
    for (const vector of await statusListVectors()) {
      const verifying = verifierOf(vector, published(vector)).verify(vector)
      if (vector.reason === 'OK') expect(await verifying, vector.name).to.include({ reason: 'OK' })
      else expect(await errorOf(verifying), vector.name).to.be.instanceOf(ServiceConnectionError)
    }
  }).timeout(30_000)

  it('returns the claims of a valid token, and of no other', async () => {
    const { claims } = await verifierOf(valid, published(valid)).verify(valid)
    expect(claims).to.include({ iss: valid.issuer, aud: valid.audience, over18: true })
    expect(await verifierOf(revoked, published(revoked)).verify(revoked)).not.to.have.property('claims')
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

  for (const [name, scripted] of [
    ['can not be reached', 'unreachable'],
    ['does not respond', 'hang'],
    ['responds with an error', { status: 503, text: '' }],
    ['returns something else', { status: 200, text: '<html>' }],
    ['returns JSON of another shape', { status: 200, json: { keys: 'none' } }],
    [
      'publishes a key that is none',
      { status: 200, json: { keys: valid.jwks.keys.map(key => ({ ...key, x: 'AA' })) } },
    ],
  ] as [string, ScriptedResponse][]) {
    it(`decides nothing if the service ${name}`, async () => {
      for (const part of ['jwks', 'list'] as const) {
        const { verify } = verifierOf(valid, { ...published(valid), [part]: scripted })
        expect(await errorOf(verify(valid))).to.be.instanceOf(ServiceConnectionError)
      }
    })
  }

  it('decides again once the service can be reached', async () => {
    const responses: Published = { jwks: 'unreachable', list: 'unreachable' }
    const { verify } = verifierOf(valid, responses)
    for (const part of ['jwks', 'list'] as const) {
      expect(await errorOf(verify(valid))).to.include({ reason: 'network' })
      responses[part] = published(valid)[part]
    }
    expect((await verify(valid)).valid).to.equal(true)
  })

  describe('later', () => {
    const { now } = Date
    beforeEach(() => {
      Date.now = () => now() + laterMs
    })
    afterEach(() => {
      Date.now = now
      laterMs = 0
    })
    const unreachable: Published = { jwks: 'unreachable', list: 'unreachable' }

    it('reads the keys again after a minute, and a list after its ttl', async () => {
      const { verify, requested } = verifierOf(valid, published(valid))
      for (const [seconds, expected] of [
        [0, ['jwks.json', '1']],
        [55, []],
        [61, ['jwks.json']],
        [301, ['jwks.json', '1']],
      ] as const) {
        laterMs = seconds * 1000
        expect((await verify(valid)).valid).to.equal(true)
        expect(requested(), `${seconds} s later`).to.deep.equal(expected)
      }
    })

    it('reads the keys again for an unknown one, every ten seconds', async () => {
      const responses = published(unknownKey)
      const { verify, requested } = verifierOf(unknownKey, { ...responses })
      for (const seconds of [0, 9, 11]) {
        laterMs = seconds * 1000
        expect(await verify(unknownKey)).to.include({ reason: 'KEY_UNKNOWN' })
      }
      expect(requested()).to.deep.equal(['jwks.json', 'jwks.json'])
    })

    it('uses keys for an hour and a list until it expires, while the service can not be reached', async () => {
      const responses = published(valid)
      const { verify } = verifierOf(valid, responses)
      await verify(valid)
      Object.assign(responses, unreachable)
      laterMs = 830_000
      expect((await verify(valid)).valid).to.equal(true)
      laterMs = 850_000
      expect(await errorOf(verify(valid))).to.be.instanceOf(ServiceConnectionError)
      expect((await verify(valid, { checkRevocation: false })).valid).to.equal(true)
      laterMs = 3_500_000
      expect((await verify(valid, { checkRevocation: false })).valid).to.equal(true)
      laterMs = 3_700_000
      const error = await errorOf(verify(valid, { checkRevocation: false }))
      expect(error).to.be.instanceOf(ServiceConnectionError)
    })

    it('decides nothing about an unknown key while the keys can not be read, as it may be a new one', async () => {
      const responses = published(unknownKey)
      const { verify } = verifierOf(unknownKey, responses)
      await verify(unknownKey)
      Object.assign(responses, unreachable)
      laterMs = 61_000
      expect(await errorOf(verify(unknownKey))).to.include({ reason: 'network' })
    })
  })

  it('takes what is no text, as where a cookie is missing, for malformed', async () => {
    const { verifier } = verifierOf(valid, published(valid))
    const { audience } = valid
    expect(await verifier.verify(undefined as never, { audience })).to.include({ reason: 'TOKEN_MALFORMED' })
  })
})
