import { expect } from 'chai'
import {
  ChangesMissedError,
  type ChangesOptions,
  type VerificationChange,
} from '#clients/typescript/src/index.ts'
import {
  clientWith,
  completedFields,
  errorOf,
  errorResponse,
  type ScriptedResponse,
  statusResponse,
} from './scripted-fetch.ts'

const pollingIntervalMs = 1
const updatedAt = completedFields.completedAt

function page(next: string, ...ids: string[]) {
  const items = ids.map(verificationId => ({
    ...statusResponse('approved', completedFields).json,
    verificationId,
    updatedAt,
  }))
  return { status: 200, json: { items, next } }
}

async function collect(
  responses: [ScriptedResponse, ...ScriptedResponse[]],
  { after, count = 3, ...options }: ChangesOptions & { after?: string; count?: number } = {},
) {
  const { client, requests } = clientWith(...responses)
  const changes: VerificationChange[] = []
  for await (const change of client.changes(after, { pollingIntervalMs, ...options })) {
    if (changes.push(change) === count) break
  }
  const asked = requests.map(({ url }) => url.replace(/^.*\/verifications/, ''))
  return { changes: changes.map(({ verificationId, cursor }) => `${verificationId} ${cursor}`), asked }
}

describe('The changes of the TypeScript client', () => {
  it('go on from page to page, each with the cursor to go on with after a crash', async () => {
    const { changes, asked } = await collect([page('C2', 'a', 'b'), page('C2'), page('C3', 'c')], {
      after: 'C1',
    })
    expect(changes).to.deep.equal(['a C1', 'b C2', 'c C3'])
    expect(asked).to.deep.equal(['?after=C1&wait=25', '?after=C2&wait=25', '?after=C2&wait=25'])
  })

  it('begin with the oldest, and do so again after a crash within the first page', async () => {
    const first = await collect([page('C1', 'a', 'b')], { count: 1 })
    expect(first).to.deep.equal({ changes: ['a '], asked: ['?wait=25'] })
    expect((await collect([page('C1', 'a')], { after: '', count: 1 })).asked).to.deep.equal(['?wait=25'])
  })

  it('continue through outages and the rate limit, and miss none', async () => {
    const { changes, asked } = await collect([
      'unreachable',
      errorResponse(503, 'REDIS_ERROR'),
      page('C1', 'a'),
      errorResponse(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 0 }),
      { status: 502, text: '<html>' },
      page('C3', 'b', 'c'),
    ])
    expect(changes).to.deep.equal(['a C1', 'b C1', 'c C3'])
    expect(asked).to.deep.equal([...Array(3).fill('?wait=25'), ...Array(3).fill('?after=C1&wait=25')])
  })

  it('end where nothing is new, if they are not followed', async () => {
    const { changes, asked } = await collect([page('C1', 'a'), 'unreachable', page('C1')], { follow: false })
    expect(changes).to.deep.equal(['a C1'])
    expect(asked).to.deep.equal(['?wait=0', '?after=C1&wait=0', '?after=C1&wait=0'])
  })

  it('end with an error that a repetition does not mend, the reason of the signal, or an option that can’t be', async () => {
    expect(await errorOf(collect([errorResponse(401, 'UNAUTHENTICATED_TENANT')]))).to.include({ status: 401 })
    const signal = AbortSignal.abort(new Error('stopped'))
    expect(await errorOf(collect([page('C1', 'a')], { signal }))).to.have.property('message', 'stopped')
    expect(await errorOf(collect([page('C1', 'a')], { pollingIntervalMs: -1 }))).to.be.instanceOf(TypeError)
  })

  it('end where some were deleted unread, behind those of the page, with the cursor to go on with', async () => {
    const missed = page('C2', 'a', 'b')
    Object.assign(missed.json, { missedBefore: updatedAt })
    const changes: string[] = []
    const read = async () => {
      const options = { pollingIntervalMs, follow: false }
      for await (const { cursor } of clientWith(missed).client.changes('C1', options)) changes.push(cursor)
    }
    const error = await errorOf(read())
    expect(error).to.be.instanceOf(ChangesMissedError).and.include({ missedBefore: updatedAt, cursor: 'C2' })
    // Whoever stops before the error sees it again.
    expect(changes).to.deep.equal(['C1', 'C1'])
    missed.json.items = []
    expect(await errorOf(read())).to.include({ name: 'ChangesMissedError', cursor: 'C2' })
  })

  it('are none of a response that is not the service’s, and admit nobody on an over18 that is a text', async () => {
    for (const json of [{ items: [{}], next: 'C1' }, { items: [] }, { items: {}, next: 'C1' }]) {
      const { client } = clientWith({ status: 200, json })
      const first = client.changes().next()
      expect(await errorOf(first), JSON.stringify(json)).to.include({ reason: 'invalid_response' })
    }
    const wrong = page('C1', 'a')
    Object.assign(wrong.json.items[0]!, { over18: 'true' })
    const { value } = await clientWith(wrong).client.changes().next()
    expect(value).to.include({ over18: null, status: 'approved' })
  })
})
