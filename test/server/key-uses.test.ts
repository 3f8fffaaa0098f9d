import { expect } from 'chai'
import type { StatementPool } from '#domain/database/statement.ts'
import { createKeyUses } from '#server/admission/key-uses.ts'

describe('the last use of keys', () => {
  const minute = new Date('2026-05-01T12:00:30.000Z')

  it('is written once a minute and key, however busy the key is', async () => {
    const { pool, written } = recordingPool()
    const uses = createKeyUses(pool, silent)
    for (let second = 0; second < 29; second++)
      uses.note(keyOf('a'), new Date(minute.getTime() + second * 1000))
    uses.note(keyOf('b'), minute)
    await uses.close()
    expect(written.flat(2).filter(value => value === 'a' || value === 'b')).to.have.members(['a', 'b'])
  })

  it('is all written before the service ends, also what a running write does not carry', async () => {
    const { pool, written, hold } = recordingPool()
    const release = hold()
    const uses = createKeyUses(pool, silent)
    uses.note(keyOf('a'), minute)
    const first = uses.close()
    uses.note(keyOf('b'), minute)
    const second = uses.close()
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
