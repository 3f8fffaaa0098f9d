import { appendFile, copyFile, mkdir, mkdtemp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Receiver, type SimulatorFixture, startFixture, startReceiver } from './fixture.ts'

describe('the Veriff simulator’s data file', () => {
  const parent = temporaryFolder()
  let folder: string
  let dataFile: string
  let receiver: Receiver
  let simulator: SimulatorFixture
  let now: Date

  const start = async () => {
    simulator = await startFixture({ dataFile, now: () => now, retryDelaysSeconds: [0.01, 3600] }, receiver)
  }
  const restart = async () => {
    await simulator.close()
    await start()
  }

  const contentOf = (table: 'session' | 'delivery'): Record<string, unknown>[] => {
    const database = new DatabaseSync(dataFile, { readOnly: true })
    const rows = database.prepare(`select content from ${table} order by rowid`).all()
    database.close()
    return rows.map(({ content }) => JSON.parse(String(content)))
  }
  /** Copies the files of the running simulator, as a kill would leave them. */
  const copyAsKilled = async () => {
    const copy = join(folder, 'killed', 'sessions.sqlite')
    await mkdir(join(folder, 'killed'))
    for (const suffix of ['', '-wal']) await copyFile(dataFile + suffix, copy + suffix)
    return copy
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(parent.path, 'simulator-'))
    dataFile = join(folder, 'deeper', 'sessions.sqlite')
    now = new Date('2026-03-01T10:00:00Z')
    receiver = await startReceiver()
    await start()
  })
  afterEach(async () => {
    await simulator.close()
    receiver.close()
  })

  it('keeps sessions, attempts and decisions across a restart', async () => {
    const { id } = await simulator.createSession({
      vendorData: 'case-42',
      callback: 'https://shop.example/back',
    })
    await simulator.control('POST', `/sessions/${id}/open`)
    await simulator.control('POST', `/sessions/${id}/decide`, { outcome: 'approve-minor' })
    const before = (await simulator.control('GET', '/sessions/case-42')).json.session
    await restart()
    const after = (await simulator.control('GET', '/sessions/case-42')).json.session
    expect({ ...after, url: '' }).to.deep.equal({ ...before, url: '' })
    expect((await fetch(after.url)).status).to.equal(200)
    expect(receiver.received).to.have.length(2)
  })

  it('delivers webhooks after a restart that the service had not accepted, with the same bytes', async () => {
    const { id } = await simulator.createSession()
    receiver.respondWith(500)
    await simulator.control('POST', `/sessions/${id}/decide`, { outcome: 'approve-adult' })
    await receiver.until(2)
    await simulator.close()
    const [lost] = receiver.received.splice(0)
    receiver.respondWith(200)
    await start()
    await receiver.until(1)
    expect(receiver.received[0]?.body.equals(lost?.body ?? Buffer.of())).to.equal(true)
  })

  it('contains a webhook before it is sent, so that a crash cannot lose it', async () => {
    const { id } = await simulator.createSession()
    let stored: Record<string, unknown>[] = []
    receiver.respondWith(async () => {
      stored = contentOf('session').concat(contentOf('delivery'))
      return 200
    })
    await simulator.control('POST', `/sessions/${id}/decide`, { outcome: 'approve-adult' })
    expect(stored).to.have.length(2)
    expect(stored[0]).to.include({ id, status: 'approved' })
    expect(stored[1]).to.include({
      sessionId: id,
      state: 'waiting',
      body: receiver.received[0]?.body.toString(),
    })
  })

  it('keeps a held webhook on hold across a restart', async () => {
    const { id } = await simulator.createSession()
    await simulator.control('POST', `/sessions/${id}/decide`, { outcome: 'decline', delivery: 'late' })
    await restart()
    const { deliveries } = (await simulator.control('POST', '/deliveries/release')).json
    expect(deliveries).to.have.length(1)
    expect(receiver.received).to.have.length(1)
  })

  it('is complete after a kill, and usable if the last write was interrupted', async () => {
    const { id } = await simulator.createSession()
    const copy = await copyAsKilled()
    await appendFile(`${copy}-wal`, Buffer.alloc(1_000, 7))
    await simulator.close()
    dataFile = copy
    await start()
    expect((await simulator.control('GET', '/sessions')).json.sessions).to.have.length(1)
    await simulator.control('POST', `/sessions/${id}/open`)
    await restart()
    expect((await simulator.control('GET', `/sessions/${id}`)).json.session.status).to.equal('started')
  })

  it('is readable only by its owner', async () => {
    await simulator.createSession()
    expect((await stat(dataFile)).mode & 0o777).to.equal(0o600)
    expect((await stat(`${dataFile}-wal`)).mode & 0o777).to.equal(0o600)
  })

  it('ends sessions after seven days: expired if never opened, else abandoned', async () => {
    const { id: unopened } = await simulator.createSession()
    const { id: opened } = await simulator.createSession()
    await simulator.control('POST', `/sessions/${opened}/open`)
    now = new Date('2026-03-08T09:59:59Z')
    await restart()
    expect((await simulator.control('GET', `/sessions/${unopened}`)).json.session.status).to.equal('created')
    now = new Date('2026-03-08T10:00:00Z')
    await restart()
    await receiver.until(3)
    const statuses = receiver.received.slice(1).map(({ json }) => {
      const { id, status, code } = json.verification as Record<string, unknown>
      return { id, status, code }
    })
    expect(statuses).to.deep.equal([
      { id: unopened, status: 'expired', code: 9104 },
      { id: opened, status: 'abandoned', code: 9104 },
    ])
  })

  it('deletes sessions and deliveries after 15 days', async () => {
    const { id } = await simulator.createSession()
    await simulator.control('POST', `/sessions/${id}/open`)
    now = new Date('2026-03-17T10:00:00Z')
    await restart()
    expect((await simulator.control('GET', '/sessions')).json.sessions).to.deep.equal([])
    expect(contentOf('session').concat(contentOf('delivery'))).to.deep.equal([])
  })

  it('is named in the error if it cannot be opened', async () => {
    const failed = await startFixture({ dataFile: folder }, receiver).catch(error => error)
    expect(failed).to.be.instanceOf(Error).with.property('message').that.contains(folder)
  })
})
