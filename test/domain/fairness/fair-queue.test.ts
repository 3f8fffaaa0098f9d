import { expect } from 'chai'
import fc from 'fast-check'
import { FairQueue } from '#domain/fairness/fair-queue.ts'

/** `test/domain/fairness/places.test.ts` has the turns of several clients. */
describe('A queue that is served in turn', () => {
  function drain(queue: FairQueue<string>): string[] {
    const drained: string[] = []
    for (let item = queue.next(); item !== undefined; item = queue.next()) drained.push(item)
    return drained
  }

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
