import { expect } from 'chai'
import type { StatementPool } from '#domain/database/statement.ts'
import { createKeyUsageRecorder } from '#server/admission/key-usage-recorder.ts'

describe('KeyUsageRecorder', () => {
  const minute = new Date('2026-05-01T12:00:30.000Z')

  it('writes the use of a key once a minute, however often it is used', async () => {
    const { pool, written } = recordingPool()
    const recorder = createKeyUsageRecorder(pool, silent)
    for (let second = 0; second < 29; second++)
      recorder.record(keyOf('a'), 'starts', new Date(minute.getTime() + second * 1000))
    recorder.record(keyOf('b'), 'starts', minute)
    await recorder.close()
    expect(written.flat(2).filter(value => value === 'a' || value === 'b')).to.have.members(['a', 'b'])
  })

  it('writes all queued uses before it closes, including those queued during a write', async () => {
    const { pool, written, hold } = recordingPool()
    const release = hold()
    const recorder = createKeyUsageRecorder(pool, silent)
    recorder.record(keyOf('a'), 'starts', minute)
    const first = recorder.close()
    recorder.record(keyOf('b'), 'starts', minute)
    const second = recorder.close()
    expect(written).to.have.length(0)
    release()
    await Promise.all([first, second])
    expect(written.flat(2)).to.include.members(['a', 'b'])
  })

  const silent = { info() {}, warn() {} }

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
    return { pool, written, hold }
  }
})
