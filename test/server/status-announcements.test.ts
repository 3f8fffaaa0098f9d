import { expect } from 'chai'
import {
  createStatusNotifications,
  type StatusNotifications,
} from '#server/notifications/status-notifications.ts'
import { StatusWaits } from '#server/notifications/status-waits.ts'

describe('A change of a status', () => {
  let seconds: number
  let sent: [channel: string, payload: string][]
  let waits: StatusWaits
  let notifications: StatusNotifications
  beforeEach(() => {
    seconds = 0
    sent = []
    waits = new StatusWaits()
    notifications = createStatusNotifications(
      waits,
      (...notification) => void sent.push(notification),
      () => seconds * 1_000,
    )
  })
  afterEach(() => notifications.close())

  /** Whether other processes are notified of a change at this time. */
  function isNotified(): boolean {
    sent = []
    notifications.changes.publish('id')
    return sent.some(([channel, payload]) => channel === 'status_changed' && payload === 'id')
  }

  const subscribe = () =>
    notifications.changes.subscribe({
      verificationId: 'id',
      tenantId: 'tenant',
      waitMs: 60_000,
      signal: new AbortController().signal,
    })!

  /** As on a connect, with this time in seconds when the probe has come back. */
  function connect(at: number): void {
    notifications.connected()
    const [channel, processId] = notifications.probe
    seconds = at
    notifications.received(channel, processId)
  }

  it('is sent to other processes until it is known that no request waits there', () => {
    expect(isNotified()).to.equal(true)
    seconds = 10_000
    expect(isNotified()).to.equal(true)
    connect(10_001)
    seconds = 10_005
    expect(isNotified()).to.equal(true)
    seconds = 10_006
    expect(isNotified()).to.equal(false)
  })

  it('is sent to them while requests wait there: at least as long as those of each announcement can', () => {
    connect(0)
    seconds = 200
    notifications.received('status_waiting', 'another process')
    expect(isNotified()).to.equal(true)
    seconds += 30 + 60
    expect(isNotified()).to.equal(true)
    seconds += 10
    expect(isNotified()).to.equal(false)
  })

  it('is sent to them if their announcement comes before the own probe', () => {
    notifications.received('status_waiting', 'another process')
    connect(1)
    seconds = 90
    expect(isNotified()).to.equal(true)
  })

  it('is sent to them while their announcements are not received', () => {
    connect(0)
    seconds = 200
    expect(isNotified()).to.equal(false)
    notifications.disconnected()
    expect(isNotified()).to.equal(true)
    connect(201)
    seconds = 206
    expect(isNotified()).to.equal(false)
  })

  it('is expected by a process that asks: at once where a request waits, else with the next one', () => {
    connect(0)
    const { probe } = notifications
    const first = subscribe()
    seconds = 1
    sent = []
    notifications.received('status_probe', 'another process')
    expect(sent).to.deep.equal([['status_waiting', probe[1]]])
    first.close()
    sent = []
    notifications.received('status_probe', 'a third process')
    expect(sent).to.deep.equal([])
    const second = subscribe()
    expect(sent).to.deep.equal([['status_waiting', probe[1]]])
    second.close()
  })

  it('is not sent for the sake of the own process, which announces its requests every 30 seconds at most', () => {
    connect(0)
    seconds = 200
    const first = subscribe()
    expect(sent).to.have.length(1)
    const [channel, processId] = sent[0]!
    expect(channel).to.equal('status_waiting')
    notifications.received('status_waiting', processId)
    expect(isNotified()).to.equal(false)
    seconds += 29
    const second = subscribe()
    expect(sent).to.deep.equal([])
    seconds += 1
    const third = subscribe()
    expect(sent).to.deep.equal([['status_waiting', processId]])
    for (const subscription of [first, second, third]) subscription.close()
  })

  it('is found by the first request of a process, although others did not know yet that it waits', async () => {
    const subscription = subscribe()
    expect(await subscription.next()).to.equal('changed')
    subscription.close()
  })

  it('is not lost if it comes before the request waits for it', async () => {
    const subscription = subscribe()
    notifications.received('status_changed', 'id')
    expect(await subscription.next()).to.equal('changed')
    subscription.close()
    expect(waits.isEmpty).to.equal(true)
  })
})
