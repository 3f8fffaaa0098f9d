import { mock } from 'node:test'
import { expect } from 'chai'
import { type Client, Places } from '#domain/fairness/places.ts'

describe('The places for requests at work', () => {
  /** One, which is taken. */
  let places: Places
  let order: string[]
  beforeEach(() => {
    order = []
    mock.timers.enable({ apis: ['setTimeout'] })
    places = new Places(1)
    take('first')
  })
  afterEach(() => mock.timers.reset())

  const settled = () => new Promise(resolve => setImmediate(resolve))

  /** Takes a place, and notes whose request got one, or none. */
  function take(name: string): void {
    void places.take(() => clientOf(name)).then(hasPlace => order.push(hasPlace ? name : `no ${name}`))
  }

  const clientOf = (name: string): Client => ({ name, isTenant: name.startsWith('tenant') })

  it('are given to the clients in turn, to the requests of each in their order', async () => {
    for (const client of ['a', 'a', 'a', 'b', 'c', 'b']) take(client)
    expect(places.waiting).to.equal(6)
    for (let count = 0; count < 6; count++) places.release()
    await settled()
    expect(order).to.deep.equal(['first', 'a', 'b', 'c', 'a', 'b', 'a'])
    places.release()
    expect(places).to.include({ taken: 0, waiting: 0 })
  })

  it('are given to tenants every second time, from however many addresses strangers ask', async () => {
    for (let address = 0; address < 3_000; address++) take(`address ${address}`)
    for (const tenant of ['tenant a', 'tenant a', 'tenant b']) take(tenant)
    for (let count = 0; count < 7; count++) places.release()
    await settled()
    expect(order.slice(1)).to.deep.equal([
      'tenant a',
      'address 0',
      'tenant b',
      'address 1',
      'tenant a',
      'address 2',
      'address 3',
    ])
  })

  it('are given to a stranger every second time, however many tenants ask', async () => {
    for (let tenant = 0; tenant < 500; tenant++) take(`tenant ${tenant}`)
    take('address')
    for (let count = 0; count < 2; count++) places.release()
    await settled()
    expect(order.slice(1)).to.deep.equal(['tenant 0', 'address'])
  })

  it('keep a bounded number of requests of one client waiting, whatever others do', async () => {
    for (let count = 0; count < 501; count++) take('a')
    take('b')
    expect(places.waiting).to.equal(501)
    for (let count = 0; count < 501; count++) places.release()
    await settled()
    expect(order.filter(client => client === 'a')).to.have.length(500)
    expect(order).to.include('b').and.not.include('no a')
    mock.timers.tick(2_000)
    await settled()
    expect(order.at(-1)).to.equal('no a')
  })

  it('keep none waiting for more than two seconds, and lose no place over it', async () => {
    take('a')
    mock.timers.tick(1_999)
    take('b')
    mock.timers.tick(1)
    await settled()
    expect(order).to.deep.equal(['first', 'no a'])
    places.release()
    await settled()
    expect(order).to.deep.equal(['first', 'no a', 'b'])
    mock.timers.tick(10_000)
    places.release()
    await settled()
    expect(order).to.deep.equal(['first', 'no a', 'b'])
    expect(places).to.include({ taken: 0, waiting: 0 })
  })

  it('are taken again by a request that waited for somebody else, before its client begins others', async () => {
    places.release()
    take('b')
    take('a')
    for (const each of ['a again', 'a once more'])
      void places.retake(() => clientOf('a')).then(() => order.push(each))
    mock.timers.tick(500)
    for (let count = 0; count < 3; count++) {
      places.release()
      await settled()
    }
    expect(order).to.deep.equal(['first', 'b', 'a again', 'a once more', 'a'])
  })
})
