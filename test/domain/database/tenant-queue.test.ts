import { expect } from 'chai'
import { TenantQueue } from '#domain/database/tenant-queue.ts'

describe('A queue of writes', () => {
  let queue: TenantQueue<string>
  beforeEach(() => {
    queue = new TenantQueue(item => item[0]!)
  })
  const add = (...items: string[]) => items.forEach(item => void queue.add(item))
  const take = (count: number, keyOf = (item: string) => item) => queue.take(count, keyOf)

  it('keeps the order of each tenant, and is empty at the end', () => {
    add('a1', 'a2', 'a3')
    expect(take(2)).to.deep.equal(['a1', 'a2'])
    expect(queue.isEmpty).to.equal(false)
    expect(take(2)).to.deep.equal(['a3'])
    expect(queue.isEmpty).to.equal(true)
    expect(take(2)).to.deep.equal([])
  })

  it('serves the tenants in turns, so that one with thousands waiting delays nobody else', () => {
    add(...Array.from({ length: 5_000 }, (_, n) => `a${n}`))
    add('b1', 'b2', 'c1')
    expect(take(6)).to.deep.equal(['a0', 'b1', 'c1', 'a1', 'b2', 'a2'])
    add('d1')
    expect(take(3)).to.deep.equal(['a3', 'd1', 'a4'])
  })

  it('continues the turns where the last taking ended', () => {
    add('a1', 'a2', 'b1', 'b2', 'c1')
    expect(take(1)).to.deep.equal(['a1'])
    expect(take(2)).to.deep.equal(['b1', 'c1'])
    expect(take(2)).to.deep.equal(['a2', 'b2'])
  })

  it('never returns two items of the same key together, and keeps those that are left in order', () => {
    add('a1 first', 'a1 second', 'a2 first', 'a1 third', 'b1 first')
    const keyOf = (item: string) => item.slice(0, 2)
    expect(take(10, keyOf)).to.deep.equal(['a1 first', 'b1 first', 'a2 first'])
    expect(take(10, keyOf)).to.deep.equal(['a1 second'])
    expect(take(10, keyOf)).to.deep.equal(['a1 third'])
    expect(queue.isEmpty).to.equal(true)
  })
})
