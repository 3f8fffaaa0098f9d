import { expect } from 'chai'
import fc from 'fast-check'
import { FairQueue } from '#domain/fairness/fair-queue.ts'

/** `test/domain/fairness/places.test.ts` has the turns of several clients. */
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

  it('has a client that returns with more wait for the others', () => {
    const queue = filled('a1', 'b1', 'b2')
    expect(queue.next()).to.equal('a1')
    queue.add('a', 'a2')
    expect(drain(queue)).to.deep.equal(['b1', 'a2', 'b2'])
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
