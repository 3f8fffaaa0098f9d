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
      id: 'id',
      tenantId: 'tenant',
      waitMs: 60_000,
      signal: new AbortController().signal,
    })!

  it('is sent to other processes until announcements that were missed have expired', () => {
    expect(isNotified()).to.equal(true)
    for (const connectedAt of [10_000, 20_000]) {
      seconds = connectedAt
      expect(isNotified()).to.equal(true)
      notifications.connected()
      seconds += 99
      expect(isNotified()).to.equal(true)
      seconds += 1
      expect(isNotified()).to.equal(false)
      notifications.disconnected()
    }
  })

  it('is sent to them while requests wait there: at least as long as those of each announcement can', () => {
    notifications.connected()
    seconds = 200
    notifications.received('status_waiting', 'another process')
    expect(isNotified()).to.equal(true)
    seconds += 30 + 60
    expect(isNotified()).to.equal(true)
    seconds += 10
    expect(isNotified()).to.equal(false)
  })

  it('is not sent for the sake of the own process, which announces its requests every 30 seconds at most', () => {
    notifications.connected()
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
