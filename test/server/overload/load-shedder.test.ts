import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createLog } from '#server/log.ts'
import { createLoadShedder, type LoadShedder } from '#server/overload/load-shedder.ts'

describe('The load shedder', () => {
  let waiting = 0
  let waitingRequests = 0
  let shedder: LoadShedder
  beforeEach(() => {
    waiting = 0
    waitingRequests = 0
    shedder = createLoadShedder({
      database: { waiting: () => waiting },
      waitingRequests: () => waitingRequests,
      config: { databasePoolSize: 10 },
      registry: new Registry(),
      log: createLog('silent'),
      // No request is rejected by chance.
      random: () => 1,
    })
  })
  afterEach(() => shedder.close())

  const admit = (response = new EventEmitter()) => shedder.admit(response as ServerResponse)

  it('rejects at once, before its next step, while a sudden load waits for the database', () => {
    for (let count = 0; count < 50; count++) expect(admit()).to.equal(true)
    waiting = 79
    expect(admit()).to.equal(true)
    waiting = 80
    expect(admit()).to.equal(false)
    waiting = 79
    expect(admit()).to.equal(true)
  })

  it('always serves 50 requests at the same time', () => {
    waiting = 1_000
    const responses = Array.from({ length: 50 }, () => new EventEmitter())
    for (const response of responses) expect(admit(response)).to.equal(true)
    expect(admit()).to.equal(false)
    responses[0]!.emit('close')
    expect(admit()).to.equal(true)
  })

  it('does not count requests that wait for an event', () => {
    waiting = 1_000
    for (let count = 0; count < 50; count++) admit()
    waitingRequests = 30
    for (let count = 0; count < 30; count++) expect(admit()).to.equal(true)
    expect(admit()).to.equal(false)
  })
})
