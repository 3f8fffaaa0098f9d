import { mock } from 'node:test'
import { expect } from 'chai'
import { AgeVerificationError, CompletionTimeoutError } from '#clients/typescript/src/index.ts'
import { clientWith, completedFields, errorOf, errorResponse, statusResponse } from './scripted-fetch.ts'

const completed = statusResponse('approved', completedFields)
const pollingIntervalMs = 1

/** The seconds that each request was to wait. */
const readWaits = (requests: { url: string }[]) =>
  requests.map(({ url }) => new URL(url).searchParams.get('wait'))

describe('Waiting for the completion of a verification', () => {
  it('waits no longer than it was told to', async () => {
    const { client, requests } = clientWith(completed)
    await client.waitForCompletion('v', { timeoutMs: 7_900 })
    await client.waitForCompletion('v', { timeoutMs: 900 })
    expect(readWaits(requests)).to.deep.equal(['7', '0'])
  })

  it('pauses for the polling interval after each response at once, unless the status has changed', async () => {
    const statuses = ['pending', 'pending', 'started', 'submitted', 'submitted']
    const { client, requests } = clientWith(
      statusResponse('pending'),
      ...statuses.map(each => statusResponse(each)),
      completed,
    )
    const pauses = await withoutPauses(() => client.waitForCompletion('v', { pollingIntervalMs: pauseMs }))
    expect(requests).to.have.length(7)
    expect(pauses).to.equal(4)
  })

  it('continues through outages and the rate limit', async () => {
    const { client, requests } = clientWith(
      'unreachable',
      errorResponse(503, 'REDIS_ERROR'),
      errorResponse(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 0 }),
      { status: 502, text: 'Bad Gateway' },
      completed,
    )
    await client.waitForCompletion('v', { pollingIntervalMs })
    expect(requests).to.have.length(5)
  })

  it('ends with an error that does not pass', async () => {
    const { client, requests } = clientWith(errorResponse(404, 'VERIFICATION_NOT_FOUND'))
    const error = await errorOf(client.waitForCompletion('v'))
    expect(error).to.be.instanceOf(AgeVerificationError).and.include({ code: 'VERIFICATION_NOT_FOUND' })
    expect(requests).to.have.length(1)
  })

  it('ends at the timeout, after a last look, with the status as last read', async () => {
    const { client, requests } = clientWith(statusResponse('submitted'))
    const options = { timeoutMs: pauseMs, pollingIntervalMs: 1e6 }
    const pauses = await withoutPauses(async () => {
      const error = await errorOf(client.waitForCompletion('v', options))
      expect(error).to.be.instanceOf(CompletionTimeoutError)
      expect((error as CompletionTimeoutError).verification).to.include({ status: 'submitted', over18: null })
    })
    expect([pauses, requests.length]).to.deep.equal([1, 2])
  })

  it('ends at the timeout of an outage, with its error as the cause', async () => {
    const { client } = clientWith('unreachable')
    const error = (await errorOf(client.waitForCompletion('v', { timeoutMs: 10 }))) as CompletionTimeoutError
    expect(error.verification).to.equal(undefined)
    expect(error.cause).to.include({ name: 'ServiceConnectionError', reason: 'network' })
  })

  it('ends with the reason of the signal', async () => {
    const reason = new Error('the user has left')
    for (const response of ['hang', statusResponse('pending')] as const) {
      const controller = new AbortController()
      const { client } = clientWith(response)
      const { signal } = controller
      const failed = errorOf(client.waitForCompletion('v', { signal, pollingIntervalMs: 1e6 }))
      setImmediate(() => controller.abort(reason))
      expect(await failed).to.equal(reason)
    }
  })
})

describe('The statuses on the way to the completion', () => {
  it('are reported, beginning with the one as it is, each once', async () => {
    const statuses = ['pending', 'pending', 'started', 'submitted', 'resubmission']
    const [first, ...further] = statuses.map(status => statusResponse(status))
    const { client, requests } = clientWith(first!, ...further, completed)
    const seen: string[] = []
    const onStatus = ({ status }: { status: string }) => void seen.push(status)
    await client.waitForCompletion('v', { pollingIntervalMs, onStatus })
    expect(seen).to.deep.equal(['pending', 'started', 'submitted', 'resubmission', 'approved'])
    expect(readWaits(requests)).to.deep.equal(['0', '25', '25', '25', '25', '25'])
  })

  it('end at a resubmission, where that was asked for', async () => {
    const { client } = clientWith(statusResponse('submitted'), statusResponse('resubmission'), completed)
    const result = await client.waitForCompletion('v', { pollingIntervalMs, stopAtResubmission: true })
    expect(result).to.include({ status: 'resubmission', completedAt: null })
    const done = await clientWith(completed).client.waitForCompletion('v', { stopAtResubmission: true })
    expect(done).to.include({ status: 'approved' })
  })

  it('can be waited for one by one, from the status that is known', async () => {
    const known = clientWith(statusResponse('started'))
    expect(await known.client.waitForChange('v', { from: 'pending' })).to.include({ status: 'started' })
    expect(readWaits(known.requests)).to.deep.equal(['0'])
    const { client, requests } = clientWith(
      statusResponse('resubmission'),
      'unreachable',
      statusResponse('resubmission'),
      statusResponse('submitted'),
    )
    const changed = await client.waitForChange('v', { from: 'resubmission', pollingIntervalMs })
    expect(changed).to.include({ status: 'submitted' })
    expect(readWaits(requests)).to.deep.equal(['0', '25', '25', '25'])
  })

  it('are not waited for with an option that cannot be used', async () => {
    const { client, requests } = clientWith(completed)
    for (const wrong of [{ timeoutMs: Number.NaN }, { pollingIntervalMs: -1 }]) {
      expect(await errorOf(client.waitForCompletion('v', wrong))).to.be.instanceOf(TypeError)
      expect(await errorOf(client.waitForChange('v', { from: 'pending', ...wrong }))).to.be.instanceOf(
        TypeError,
      )
    }
    expect(requests).to.deep.equal([])
  })
})

/** A pause of this length, less what a response has taken and up to a tenth, is told from the other timers of a client. */
const pauseMs = 100_000

/** Skips the pauses while it runs, by a clock that goes on as if they were made. Returns how many there were. */
async function withoutPauses(run: () => Promise<unknown>): Promise<number> {
  const now = performance.now.bind(performance)
  const { setTimeout } = globalThis
  let count = 0
  let skippedMs = 0
  const clock = mock.method(performance, 'now', () => now() + skippedMs)
  const skipping = (callback: () => void, delayMs: number) => {
    const isPause = Math.abs(delayMs - pauseMs) <= pauseMs * 0.15
    if (!isPause) return setTimeout(callback, delayMs)
    count += 1
    skippedMs += delayMs
    return setTimeout(callback, 0)
  }
  globalThis.setTimeout = skipping as typeof setTimeout
  try {
    await run()
    return count
  } finally {
    globalThis.setTimeout = setTimeout
    clock.mock.restore()
  }
}
