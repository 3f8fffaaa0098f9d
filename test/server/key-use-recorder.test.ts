import { expect } from 'chai'
import type { StatementPool } from '#domain/database/statement.ts'
import { createKeyUseRecorder } from '#server/admission/key-use-recorder.ts'

describe('KeyUseRecorder', () => {
  const minute = new Date('2026-05-01T12:00:30.000Z')
  let database: ReturnType<typeof recordingPool>
  let recorder: ReturnType<typeof createKeyUseRecorder>
  beforeEach(() => {
    database = recordingPool()
    recorder = createKeyUseRecorder(database.pool, { info() {}, warn() {} })
  })

  it('writes the use of a key once a minute, however often it is used', async () => {
    for (let second = 0; second < 29; second++)
      recorder.record(keyOf('a'), new Date(minute.getTime() + second * 1000))
    recorder.record(keyOf('b'), minute)
    await recorder.close()
    expect(database.writtenKeys()).to.deep.equal(['a', 'b'])
  })

  it('writes all queued uses before it closes, including those queued during a write', async () => {
    const release = database.hold()
    recorder.record(keyOf('a'), minute)
    const first = recorder.close()
    recorder.record(keyOf('b'), minute)
    const second = recorder.close()
    expect(database.writtenKeys()).to.deep.equal([])
    release()
    await Promise.all([first, second])
    expect(database.writtenKeys()).to.deep.equal(['a', 'b'])
  })

  const keyOf = (apiKeyId: string) => ({ tenantId: 't', apiKeyId })

  function recordingPool() {
    const written: unknown[][] = []
    let gate = Promise.resolve()
    const pool: StatementPool = {
      async query({ values }) {
        await gate
        written.push(values)
        return { rows: [] }
      },
    }
    function hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    }
    const writtenKeys = () => written.flat(2).filter(value => value === 'a' || value === 'b')
    return { pool, hold, writtenKeys }
  }
})
