import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { mock } from 'node:test'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createLog } from '#server/log.ts'
import { createLoadShedder, type LoadShedder } from '#server/overload/load-shedder.ts'

describe('The load shedder', () => {
  let waiting = 0
  const idleRequests = { count: 0 }
  let shedder: LoadShedder
  beforeEach(() => {
    waiting = 0
    idleRequests.count = 0
    mock.timers.enable({ apis: ['setInterval'] })
    shedder = createLoadShedder({
      database: { waiting: () => waiting },
      idleRequests,
      config: { databasePoolSize: 10 },
      registry: new Registry(),
      log: createLog('silent'),
    })
  })
  afterEach(() => {
    shedder.close()
    mock.timers.reset()
  })

  const admit = (response = new EventEmitter()) => shedder.admit(response as ServerResponse)

  const admitMany = (count: number) => {
    for (let each = 0; each < count; each++) expect(admit()).to.equal(true)
  }

  it('rejects at once, before its next step, while a sudden load waits for the database', () => {
    admitMany(40)
    waiting = 79
    expect(admit()).to.equal(true)
    waiting = 80
    expect(admit()).to.equal(false)
    waiting = 79
    expect(admit()).to.equal(true)
  })

  it('rejects at once what exceeds 200 requests in flight', () => {
    const first = new EventEmitter()
    expect(admit(first)).to.equal(true)
    admitMany(199)
    expect(admit()).to.equal(false)
    first.emit('close')
    expect(admit()).to.equal(true)
  })

  it('admits more at the same time if it has just served more', () => {
    const responses = Array.from({ length: 2 * 150 }, () => new EventEmitter())
    for (const some of [responses.slice(150), responses.slice(0, 150)]) {
      for (const response of some) admit(response)
      for (const response of some) response.emit('close')
    }
    mock.timers.tick(50)
    admitMany(300)
    expect(admit()).to.equal(false)
  })

  it('always serves 40 requests at the same time', () => {
    waiting = 1_000
    const responses = Array.from({ length: 40 }, () => new EventEmitter())
    for (const response of responses) expect(admit(response)).to.equal(true)
    expect(admit()).to.equal(false)
    responses[0]!.emit('close')
    expect(admit()).to.equal(true)
  })

  it('does not count requests that wait for somebody else', () => {
    waiting = 1_000
    admitMany(40)
    idleRequests.count = 30
    admitMany(30)
    expect(admit()).to.equal(false)
  })
})
