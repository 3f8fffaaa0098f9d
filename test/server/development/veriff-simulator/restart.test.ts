import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Receiver, startReceiver } from './receiver.ts'
import { startTrial, type Trial } from './start.ts'

describe('the stand-in: over a restart', () => {
  let folder: string
  let dataFile: string
  let receiver: Receiver
  let trial: Trial
  let now: Date

  const start = async () => {
    trial = await startTrial({ dataFile, now: () => now, retryDelaysSeconds: [0.01, 3600] }, receiver)
  }
  const restart = async () => {
    await trial.close()
    await start()
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'veriff-stand-in-'))
    dataFile = join(folder, 'deeper', 'sessions.jsonl')
    now = new Date('2026-03-01T10:00:00Z')
    receiver = await startReceiver()
    await start()
  })
  afterEach(async () => {
    await trial.close()
    receiver.close()
    await rm(folder, { recursive: true })
  })

  it('keeps sessions, attempts and decisions', async () => {
    const { id } = await trial.createSession({ vendorData: 'case-42', callback: 'https://shop.example/back' })
    await trial.control('POST', `/sessions/${id}/open`)
    await trial.control('POST', `/sessions/${id}/decide`, { outcome: 'approve-minor' })
    const before = (await trial.control('GET', '/sessions/case-42')).json.session
    await restart()
    const after = (await trial.control('GET', '/sessions/case-42')).json.session
    expect({ ...after, url: '' }).to.deep.equal({ ...before, url: '' })
    expect((await fetch(after.url)).status).to.equal(200)
    expect(receiver.received).to.have.length(2)
  })

  it('delivers what the service did not take before, with the same bytes', async () => {
    const { id } = await trial.createSession()
    receiver.answerWith(500)
    await trial.control('POST', `/sessions/${id}/decide`, { outcome: 'approve-adult' })
    await receiver.until(2)
    await trial.close()
    const [lost] = receiver.received.splice(0)
    receiver.answerWith(200)
    await start()
    await receiver.until(1)
    expect(receiver.received[0]?.body.equals(lost?.body ?? Buffer.of())).to.equal(true)
  })

  it('has a webhook on file before it is sent, so that a kill cannot lose it', async () => {
    const { id } = await trial.createSession()
    let onFile = ''
    receiver.answerWith(async () => {
      onFile = await readFile(dataFile, 'utf8')
      return 200
    })
    await trial.control('POST', `/sessions/${id}/decide`, { outcome: 'approve-adult' })
    const { session } = JSON.parse(onFile.split('\n')[1] ?? '')
    const { delivery } = JSON.parse(onFile.split('\n')[2] ?? '')
    expect(session).to.include({ id, status: 'approved' })
    expect(delivery).to.include({
      sessionId: id,
      state: 'waiting',
      body: receiver.received[0]?.body.toString(),
    })
  })

  it('keeps a held webhook held', async () => {
    const { id } = await trial.createSession()
    await trial.control('POST', `/sessions/${id}/decide`, { outcome: 'decline', delivery: 'late' })
    await restart()
    const { deliveries } = (await trial.control('POST', '/deliveries/release')).json
    expect(deliveries).to.have.length(1)
    expect(receiver.received).to.have.length(1)
  })

  it('starts with a file whose last line was cut off by a kill', async () => {
    const { id } = await trial.createSession()
    await trial.close()
    await appendFile(dataFile, '{"session":{"id":"half')
    await start()
    expect((await trial.control('GET', '/sessions')).json.sessions).to.have.length(1)
    await trial.control('POST', `/sessions/${id}/open`)
    await restart()
    expect((await trial.control('GET', `/sessions/${id}`)).json.session.status).to.equal('started')
  })

  it('ends sessions after seven days: expired if never opened, else abandoned', async () => {
    const { id: unopened } = await trial.createSession()
    const { id: opened } = await trial.createSession()
    await trial.control('POST', `/sessions/${opened}/open`)
    now = new Date('2026-03-08T09:59:59Z')
    await restart()
    expect((await trial.control('GET', `/sessions/${unopened}`)).json.session.status).to.equal('created')
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

  it('forgets sessions after their webhooks have had their time', async () => {
    await trial.createSession()
    now = new Date('2026-03-17T10:00:00Z')
    await restart()
    expect((await trial.control('GET', '/sessions')).json.sessions).to.deep.equal([])
    expect(await readFile(dataFile, 'utf8')).to.equal('')
  })

  it('says what is wrong when its data file cannot be opened', async () => {
    const failed = await startTrial({ dataFile: folder }, receiver).catch(error => error)
    expect(failed).to.be.instanceOf(Error).with.property('message').that.contains(folder)
  })
})
