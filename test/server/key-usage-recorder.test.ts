import { expect } from 'chai'
import type { KeyRequest } from '#domain/api-key/api-key.policy.ts'
import { addKeyRequests, updateLastUse } from '#domain/api-key/record-key-requests.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { createKeyUsageRecorder } from '#server/admission/key-usage-recorder.ts'
import { eventually } from '../harness/eventually.ts'

describe('KeyUsageRecorder', () => {
  const minute = new Date('2026-05-01T12:00:30.000Z')
  const midnight = new Date('2026-05-02T00:00:00.000Z')
  let database: ReturnType<typeof recordingPool>
  let written: (typeof database)['written']
  let recorder: ReturnType<typeof createKeyUsageRecorder>
  beforeEach(() => {
    database = recordingPool()
    written = database.written
    recorder = createKeyUsageRecorder(database.pool, { info() {}, warn() {} })
  })

  it('writes the use of a key once a minute, however often it is used', async () => {
    for (let second = 0; second < 29; second++)
      recorder.record(keyOf('a'), 'starts', new Date(minute.getTime() + second * 1000))
    recorder.record(keyOf('b'), 'starts', minute)
    await recorder.close()
    expect(written.lastUses.flat(2).filter(value => value === 'a' || value === 'b')).to.have.members([
      'a',
      'b',
    ])
  })

  it('writes all queued uses before it closes, including those queued during a write', async () => {
    const release = database.hold()
    recorder.record(keyOf('a'), 'starts', minute)
    const first = recorder.close()
    recorder.record(keyOf('b'), 'starts', minute)
    const second = recorder.close()
    expect(written.lastUses).to.have.length(0)
    release()
    await Promise.all([first, second])
    expect(written.lastUses.flat(2)).to.include.members(['a', 'b'])
    expect(countsIn(written.counts)).to.deep.equal({
      'a 2026-05-01': { starts: 1 },
      'b 2026-05-01': { starts: 1 },
    })
  })

  it('counts every request of a key by endpoint and UTC day, also around midnight', async () => {
    const record = (key: string, request: KeyRequest, at: Date, times: number) => {
      for (let time = 0; time < times; time++) recorder.record(keyOf(key), request, at)
    }
    record('a', 'starts', minute, 3)
    record('a', 'statusReads', new Date(midnight.getTime() - 1), 2)
    record('b', 'validations', minute, 1)
    record('a', 'submits', midnight, 1)
    // Another process's clock, or a step of this one's.
    record('a', 'completes', minute, 1)
    await recorder.close()
    expect(countsIn(written.counts)).to.deep.equal({
      'a 2026-05-01': { starts: 3, statusReads: 2, completes: 1 },
      'a 2026-05-02': { submits: 1 },
      'b 2026-05-01': { validations: 1 },
    })
  })

  it('counts what failed beside the request, also after the request itself was written', async () => {
    recorder.record(keyOf('a'), 'starts', minute)
    recorder.recordFailure(keyOf('a'), 'rateLimited', minute)
    recorder.record(keyOf('a'), 'starts', minute)
    await recorder.close()
    recorder.recordFailure(keyOf('a'), 'clientErrors', minute)
    await recorder.close()
    expect(countsIn(written.counts)).to.deep.equal({
      'a 2026-05-01': { starts: 2, rateLimited: 1, clientErrors: 1 },
    })
  })

  it('keeps counts that could not be written, and writes them with the next ones', async () => {
    recorder.record(keyOf('a'), 'starts', minute)
    database.fail(true)
    await recorder.close()
    recorder.record(keyOf('a'), 'starts', minute)
    database.fail(false)
    await recorder.close()
    await recorder.close()
    expect(countsIn(written.counts)).to.deep.equal({ 'a 2026-05-01': { starts: 2 } })
    expect(written.counts).to.have.length(1)
  })

  it('writes the first request of each kind of a key about a second later', async () => {
    const firstRequest = async (request: KeyRequest) => {
      recorder.record(keyOf('a'), request, minute)
      recorder.record(keyOf('a'), request, minute)
      const before = written.counts.length
      await eventually(() => written.counts.length, { until: count => count > before, timeoutMs: 5_000 })
    }
    await firstRequest('starts')
    await firstRequest('statusReads')
    expect(countsIn(written.counts)).to.deep.equal({ 'a 2026-05-01': { starts: 2, statusReads: 2 } })
    await recorder.close()
  })

  it('writes the counts of many keys a thousand at a time', async () => {
    for (let key = 0; key < 2_500; key++) recorder.record(keyOf(`key ${key}`), 'starts', minute)
    await recorder.close()
    expect(written.counts).to.have.length(3)
    expect(Object.keys(countsIn(written.counts))).to.have.length(2_500)
  })

  const keyOf = (apiKeyId: string) => ({ tenantId: 't', apiKeyId })

  /** What the statements add up to, without zeros, by key and day. */
  function countsIn(statements: unknown[][]): Record<string, Record<string, number>> {
    const names = Object.keys(addKeyRequests.definition.values)
    const sums: Record<string, Record<string, number>> = {}
    for (const values of statements as (string | number)[][][]) {
      const columns = Object.fromEntries(names.map((name, index) => [name, values[index]!]))
      for (const [row, key] of columns.apiKeyId!.entries()) {
        const day = `${key} ${columns.day![row]}`
        const sum = sums[day] ?? {}
        sums[day] = sum
        for (const name of names.slice(3)) {
          const count = columns[name]![row] as number
          if (count > 0) sum[name] = (sum[name] ?? 0) + count
        }
      }
    }
    return sums
  }

  function recordingPool() {
    const written = { lastUses: [] as unknown[][], counts: [] as unknown[][] }
    let gate = Promise.resolve()
    let isFailing = false
    const pool: StatementPool = {
      async query({ name, values }) {
        await gate
        if (isFailing) throw new Error('The database is away.')
        if (name === updateLastUse.definition.name) written.lastUses.push(values)
        else written.counts.push(values)
        return { rows: [] }
      },
    }
    function hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    }
    function fail(failing: boolean): void {
      isFailing = failing
    }
    return { pool, written, hold, fail }
  }
})
