import { expect } from 'chai'
import type { StatementPool } from '#domain/database/statement.ts'
import {
  openStatusIndexes,
  shuffledIndexes,
  statusIndexesReserved,
} from '#domain/signing-key/status-indexes.ts'
import { statusListSize } from '#domain/signing-key/status-list.policy.ts'
import { useFixture } from '../verification/fixture.ts'

describe('The indexes of tokens in status lists', () => {
  const fixture = useFixture()
  let isReachable = true
  let reservations = 0
  beforeEach(() => {
    isReachable = true
    reservations = 0
  })

  const pool: StatementPool = {
    async query(statement) {
      if (!isReachable) throw new Error('unreachable')
      if (statement.name === 'reserve-status-indexes') reservations++
      return await fixture.service().pool.query(statement)
    },
  }
  const open = (issuer: string) => openStatusIndexes(pool, { kid: 'k', issuer, lifetimeSeconds: 1 })

  it('are unique among all processes, and counted for each signer', async () => {
    const processes = await Promise.all([open('a'), open('a'), open('a')])
    expect(new Set(processes.map(({ signer }) => signer)).size).to.equal(1)
    const count = 2 * statusIndexesReserved
    const taken = await Promise.all(processes.flatMap(one => Array.from({ length: count }, () => one.next())))
    expect(new Set(taken).size).to.equal(3 * count)
    expect(Math.max(...taken)).to.be.lessThan(statusListSize)
    const other = await open('b')
    expect(other.signer).not.to.equal(processes[0]!.signer)
  })

  it('are reserved many at a time, once for all who wait', async () => {
    const indexes = await open('c')
    reservations = 0
    for (let count = 0; count < statusIndexesReserved; count++) await indexes.next()
    expect(reservations).to.equal(0)
    await Promise.all(Array.from({ length: statusIndexesReserved }, () => indexes.next()))
    expect(reservations).to.equal(1)
  })

  it('are a permutation of each list that shows no order, and of each list and key another one', () => {
    const key = Buffer.alloc(16, 7)
    const shuffles = [0, 1, 16_383].map(list => shuffledIndexes(list, key))
    for (const indexes of [...shuffles, shuffledIndexes(0, Buffer.alloc(16, 8))]) {
      expect(new Set(indexes).size).to.equal(statusListSize)
      expect(indexes.every(index => index < statusListSize)).to.equal(true)
      const ascending = indexes.filter((index, at) => at > 0 && index > indexes[at - 1]!).length
      expect(ascending / statusListSize).to.be.within(0.49, 0.51)
      const inPlace = indexes.filter((index, at) => index === shuffles[0]![at]).length
      if (indexes !== shuffles[0]) expect(inPlace).to.be.lessThan(20)
    }
    expect(shuffledIndexes(1, key)).to.deep.equal(shuffles[1])
  })
})
