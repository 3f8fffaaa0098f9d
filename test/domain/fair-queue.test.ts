import { expect } from 'chai'
import fc from 'fast-check'
import { FairQueue } from '#domain/fair-queue.ts'

describe('A queue that is served in turn', () => {
  function filled(...items: string[]): FairQueue<string> {
    const queue = new FairQueue<string>()
    for (const item of items) queue.add(item[0]!, item)
    return queue
  }

  function drain(queue: FairQueue<string>): string[] {
    const drained: string[] = []
    for (let item = queue.next(); item !== undefined; item = queue.next()) drained.push(item)
    return drained
  }

  it('gives one item of each client, then the next of each, in the order of each', () => {
    const queue = filled('a1', 'a2', 'a3', 'b1', 'c1', 'b2')
    expect(queue).to.include({ size: 6 })
    expect(drain(queue)).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    expect(queue).to.include({ size: 0 })
    expect(queue.next()).to.equal(undefined)
  })

  it('has a client that returns with more wait for the others', () => {
    const queue = filled('a1', 'b1', 'b2')
    expect(queue.next()).to.equal('a1')
    queue.add('a', 'a2')
    expect(drain(queue)).to.deep.equal(['b1', 'a2', 'b2'])
  })

  it('has items that return before those of their client that are new, and not before other clients', () => {
    const queue = filled('b1', 'a1', 'a2')
    queue.putBack('a', 'again')
    queue.putBack('a', 'once more')
    expect([queue.size, queue.newOf('a')]).to.deep.equal([5, 2])
    expect(drain(queue)).to.deep.equal(['b1', 'again', 'once more', 'a1', 'a2'])
  })

  it('gives the items of one client, and takes those back that do not wait any longer', () => {
    const queue = filled('a1', 'a2', 'b1')
    expect(queue.nextOf('b')).to.equal('b1')
    expect(queue.nextOf('b')).to.equal(undefined)
    queue.remove('a', 'a1')
    queue.remove('a', 'a1')
    queue.remove('c', 'c1')
    expect(queue.newOf('a')).to.equal(1)
    expect(drain(queue)).to.deep.equal(['a2'])
  })

  it('loses nothing, and serves nobody twice while another client waits, whatever is added', () => {
    const client = fc.constantFrom('a', 'b', 'c')
    const act = fc.record({ kind: fc.constantFrom('add', 'putBack', 'next'), client })
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), acts => {
        const queue = new FairQueue<string>()
        const waiting: string[] = []
        for (const [index, { kind, client }] of acts.entries()) {
          const item = `${client}${index}`
          if (kind === 'add' || kind === 'putBack') {
            queue[kind](client, item)
            waiting.push(item)
          } else {
            const next = queue.next()
            if (next === undefined) expect(waiting).to.deep.equal([])
            else waiting.splice(waiting.indexOf(next), 1)
          }
          expect(queue.size).to.equal(waiting.length)
        }
        const clients = new Set(waiting.map(item => item[0]))
        const turns = drain(queue)
        expect(turns.toSorted()).to.deep.equal(waiting.toSorted())
        expect(new Set(turns.slice(0, clients.size).map(item => item[0]))).to.deep.equal(clients)
      }),
    )
  })
})
