import { syncBuiltinESMExports } from 'node:module'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { groupWrites } from '#domain/database/grouped-writes.ts'
import type { StatementPool } from '#domain/database/statement.ts'
import { DomainError } from '#domain/errors.ts'

interface Write {
  tenantId: string
  id: string
}

/** A statement that was sent, which the test answers. */
interface Sent {
  ids: string[]
  answer: PromiseWithResolvers<void>
}

const pool: StatementPool = { query: () => expect.fail('it is not used') }

const databaseError = (cause: unknown) => new DomainError('DATABASE_ERROR', { cause })
const serverError = (code: string) =>
  databaseError(Object.assign(new Error(code), { severity: 'ERROR', code }))

describe('Writes that arrive together', () => {
  let sent: Sent[]
  /** Answers a statement immediately. Undefined: the test answers it. */
  let outcomeOf: (ids: string[]) => Error | 'stored' | undefined
  let undone: string[]
  let send: (write: Write) => Promise<string | undefined>
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    syncBuiltinESMExports()
    sent = []
    outcomeOf = () => 'stored'
    undone = []
    async function run(ids: string[]): Promise<void> {
      const answer = Promise.withResolvers<void>()
      sent.push({ ids, answer })
      const outcome = outcomeOf(ids)
      if (outcome === 'stored') answer.resolve()
      else if (outcome) answer.reject(outcome)
      await answer.promise
    }
    const write = groupWrites({
      async write(_, writes: readonly Write[]) {
        await run(writes.map(({ id }) => id))
        const how = writes.length === 1 ? 'alone' : 'stored'
        const rows = writes.map(({ id }, index) => ({ id, position: index + 1, value: `${id} ${how}` }))
        return rows.filter(({ id }) => !(undone.includes(id) && (how === 'stored' || id === 'never')))
      },
      tenantOf: ({ tenantId }) => tenantId,
      keyOf: ({ id }) => id,
    })
    send = async one => (await write(pool, one))?.value
  })

  afterEach(() => {
    mock.timers.reset()
    syncBuiltinESMExports()
  })

  const write = (id: string, tenantId = id[0]!) => send({ tenantId, id })
  const all = (ids: string[]) => Promise.all(ids.map(id => write(id)))
  const statements = () => sent.map(({ ids }) => ids)
  async function untilSent(count: number): Promise<void> {
    while (sent.length < count) await turn()
  }
  /** That no other statement follows. */
  async function expectOnly(...expected: string[][]): Promise<void> {
    for (let turns = 0; turns < 5; turns++) await turn()
    expect(statements()).to.deep.equal(expected)
  }
  async function failuresOf(ids: string[]): Promise<DomainError[]> {
    const outcomes = await Promise.allSettled(ids.map(id => write(id)))
    return outcomes.map(outcome => (outcome as PromiseRejectedResult).reason)
  }

  it('share one statement, and each gets its own result', async () => {
    expect(await all(['a', 'b', 'c'])).to.deep.equal(['a stored', 'b stored', 'c stored'])
    expect(statements()).to.deep.equal([['a', 'b', 'c']])
  })

  it('wait while two groups are under way, and leave together when one of them returns', async () => {
    outcomeOf = () => undefined
    const first = write('a')
    await turn()
    const second = write('b')
    await turn()
    const later = Promise.all([write('c'), write('d')])
    await expectOnly(['a'], ['b'])
    sent[1]!.answer.resolve()
    expect(await second).to.equal('b alone')
    await untilSent(3)
    expect(statements()[2]).to.deep.equal(['c', 'd'])
    for (const { answer } of sent) answer.resolve()
    expect([await first, await later]).to.deep.equal(['a alone', ['c stored', 'd stored']])
  })

  it('do not wait for longer than a second for others, whose rows may be locked', async () => {
    outcomeOf = ids => (ids.includes('c') ? 'stored' : undefined)
    const held = [write('a')]
    await turn()
    held.push(write('b'))
    await turn()
    const third = write('c')
    mock.timers.tick(999)
    await expectOnly(['a'], ['b'])
    mock.timers.tick(1)
    expect(await third).to.equal('c alone')
    for (const { answer } of sent) answer.resolve()
    await Promise.all(held)
  })

  it('are written by 100 at most, the tenants in turns', async () => {
    const hot = Array.from({ length: 250 }, (_, n) => `hot ${n}`)
    await Promise.all([...hot.map(id => write(id, 'hot')), write('other', 'other')])
    expect(statements().map(ids => ids.length)).to.deep.equal([100, 100, 51])
    expect(statements()[0]!.slice(0, 4)).to.deep.equal(['hot 0', 'other', 'hot 1', 'hot 2'])
    const ofHot = statements().flatMap(ids => ids.filter(id => id !== 'other'))
    expect(ofHot).to.deep.equal(hot)
  })

  it('to the same row never share a statement', async () => {
    expect(await all(['a', 'b', 'a'])).to.deep.equal(['a stored', 'b stored', 'a alone'])
    expect(statements()).to.deep.equal([['a', 'b'], ['a']])
  })

  for (const code of ['22001', '23503', '40P01', '40001', '55P03', 'P0001']) {
    it(`are repeated alone when the server rejects them with ${code}, so that one cannot fail the others`, async () => {
      outcomeOf = ids => (ids.includes('b') ? serverError(code) : 'stored')
      const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(id => write(id)))
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
      expect(statements()).to.deep.equal([['a', 'b', 'c'], ['a'], ['b'], ['c']])
    })
  }

  it('are repeated alone when their statement leaves them undone', async () => {
    undone = ['b']
    expect(await all(['a', 'b', 'c'])).to.deep.equal(['a stored', 'b alone', 'c stored'])
    expect(statements()).to.deep.equal([['a', 'b', 'c'], ['b']])
  })

  const unknown = {
    'a lost connection': databaseError(new Error('Connection terminated unexpectedly')),
    'a reset connection': databaseError(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
    'a terminated session': serverError('57P01'),
    'a timeout': serverError('57014'),
    'an unknown completion': serverError('40003'),
    'a full disk': serverError('53100'),
  }
  for (const [title, failure] of Object.entries(unknown)) {
    it(`each fail with an error of their own, and are not repeated, after ${title}`, async () => {
      outcomeOf = () => failure
      const errors = await failuresOf(['a', 'b', 'c'])
      for (const error of errors) expect(error).to.include({ code: 'DATABASE_ERROR', cause: failure.cause })
      expect(new Set(errors).size).to.equal(3)
      expect(statements()).to.deep.equal([['a', 'b', 'c']])
      outcomeOf = () => 'stored'
      expect(await write('d')).to.equal('d alone')
    })
  }
})
