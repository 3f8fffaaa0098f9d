import { mkdtemp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Fixture, type Receiver, startFixture, startReceiver } from './fixture.ts'

describe('the Veriff simulator’s data file', () => {
  const parent = temporaryFolder()
  let dataFile: string
  let receiver: Receiver
  let simulator: Fixture
  let now: Date

  const start = async () => {
    simulator = await startFixture({ dataFile, now: () => now, retryDelaysSeconds: [0.01, 3600] }, receiver)
  }
  const restart = async () => {
    await simulator.close()
    await start()
  }
  const find = async (id: string) => (await simulator.control('GET', `/sessions/${id}`)).body.session

  beforeEach(async () => {
    dataFile = join(await mkdtemp(join(parent.path, 'simulator-')), 'deeper', 'sessions.sqlite')
    now = new Date('2026-03-01T10:00:00Z')
    receiver = await startReceiver()
    await start()
  })
  afterEach(async () => {
    await simulator.close()
    await receiver.close()
  })

  it('keeps sessions across a restart, and is readable only by its owner', async () => {
    const { id } = await simulator.createSession({ vendorData: 'case-42' })
    await simulator.control('POST', `/sessions/${id}/open`)
    await simulator.decide(id, { outcome: 'approve-minor' })
    const before = await find('case-42')
    await restart()
    const after = await find('case-42')
    expect({ ...after, url: '' }).to.deep.equal({ ...before, url: '' })
    expect((await fetch(after.url)).status).to.equal(200)
    expect(receiver.received).to.have.length(2)
    for (const file of [dataFile, `${dataFile}-wal`]) expect((await stat(file)).mode & 0o777).to.equal(0o600)
  })

  it('keeps what was not accepted, which is sent again after a restart', async () => {
    const { id } = await simulator.createSession()
    receiver.respondWith(() => 500)
    await simulator.decide(id, { outcome: 'approve-adult' })
    const [lost] = receiver.received
    await simulator.decide(id, { outcome: 'decline', delivery: 'late' })
    await simulator.close()
    receiver.received.length = 0
    receiver.respondWith(() => 200)
    await start()
    await receiver.until(1)
    expect(receiver.received[0]!.body.equals(lost!.body)).to.equal(true)
    // What was on hold still is.
    expect((await simulator.control('POST', '/deliveries/release')).body.deliveries).to.have.length(1)
    expect(receiver.codes()).to.deep.equal([9001, 9102])
  })

  it('ends sessions after seven days: expired if never opened, else abandoned; and deletes them after 15', async () => {
    const { id: unopened } = await simulator.createSession()
    const { id: opened } = await simulator.createSession()
    await simulator.control('POST', `/sessions/${opened}/open`)
    now = new Date('2026-03-08T09:59:59Z')
    await restart()
    expect((await find(unopened)).status).to.equal('created')
    now = new Date('2026-03-08T10:00:00Z')
    await restart()
    await receiver.until(3)
    expect(receiver.codes()).to.deep.equal([7001, 9104, 9104])
    expect((await find(unopened)).status).to.equal('expired')
    expect((await find(opened)).status).to.equal('abandoned')
    now = new Date('2026-03-17T10:00:00Z')
    await restart()
    expect((await simulator.control('GET', '/sessions')).body.sessions).to.deep.equal([])
  })
})
