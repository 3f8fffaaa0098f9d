import { expect } from 'chai'
import {
  AgeVerificationClient,
  AgeVerificationError,
  type FetchInit,
  type ResponseInfo,
  ServiceConnectionError,
} from '#clients/typescript/src/index.ts'
import { apiKey, baseUrl, errorOf } from './scripted-fetch.ts'
import { expectedOutcome, type ResponseVector, responseVectors } from './test-vectors.ts'

describe('Responses, to the TypeScript client', () => {
  for (const vector of responseVectors) {
    it(`are ${vector.verdict}s (${vector.reason}): ${vector.name}`, async () => {
      expect(await outcomeOf(vector)).to.deep.include(expectedOutcome(vector))
    })
  }

  it('that are longer than any of the service are not read to their end', async () => {
    const mebibyte = new Uint8Array(2 ** 20).fill(0x20)
    let sent = 0
    let isCancelled = false
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          sent++
          controller.enqueue(mebibyte)
        },
        cancel() {
          isCancelled = true
        },
      })
    const fetch = async () => new Response(endless())
    const client = new AgeVerificationClient({ baseUrl, apiKey, fetch, retries: 0 })
    expect(await errorOf(client.status('v'))).to.include({ reason: 'invalid_response', status: 200 })
    expect(sent).to.be.at.most(3)
    expect(isCancelled).to.equal(true)
  })
})

async function outcomeOf({ call, status, headers, body, encoding }: ResponseVector): Promise<object> {
  let attempts = 0
  async function fetch(_url: string, _init: FetchInit) {
    attempts++
    // A status 204 has no body, not even an empty one.
    return new Response(body === '' ? null : Buffer.from(body, encoding), { status, headers })
  }
  const retries = { retriesMax: 1, delayMs: 1, delayMsMax: 10 }
  const client = new AgeVerificationClient({ baseUrl, apiKey, fetch, retries })
  const calls = {
    start: () => client.start(),
    status: () => client.status('019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'),
    validate: () => client.validateToken('t'),
  }
  try {
    const result = await calls[call]()
    return { ...result, reason: 'ok', rateLimit: readRateLimit(result.lastResponse), attempts }
  } catch (error) {
    const isDocumented = error instanceof AgeVerificationError || error instanceof ServiceConnectionError
    if (!isDocumented) throw error
    const reason = error instanceof AgeVerificationError ? error.code : error.reason
    return { reason, message: error.message, retryAfterSeconds: error.retryAfterSeconds ?? null, attempts }
  }
}

function readRateLimit({ rateLimit }: ResponseInfo): object | null {
  return rateLimit ? { ...rateLimit, resetsAt: rateLimit.resetsAt.toISOString() } : null
}
