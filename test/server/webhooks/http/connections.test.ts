import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createTestSender, send, startPair, useAutoClose } from './fixture.ts'
import { closed, startRawReceiver } from './tls-receiver.ts'

const success = { ok: true, status: 204 }

describe('WebhookSender pools its connections', () => {
  const open = useAutoClose()
  const start = startPair.bind(undefined, open)

  it('reuses the connection for later requests, which leave nothing on it', async () => {
    const { receiver, sender } = await start()
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    for (let sent = 0; sent < 12; sent++) {
      expect(await send(sender, `https://receiver.test:${receiver.port}/${sent}`)).to.deep.equal(success)
    }
    process.off('warning', warn)
    // An idle one is closed after 1.5 s.
    expect(receiver.connections).to.have.length.below(12)
    expect(receiver.connections.filter(({ closed }) => !closed)).to.have.length(1)
    expect(receiver.requests.map(request => request.url)).to.deep.equal(
      Array.from({ length: 12 }, (_, n) => `/${n}`),
    )
    expect(warnings).to.deep.equal([])
  })

  it('closes the connection after a longer response but still counts the webhook as delivered', async () => {
    const { receiver, sendOne } = await start(response => response.end('a'.repeat(65_537)))
    expect(await sendOne()).to.deep.equal({ ok: true, status: 200 })
    await closed(receiver.connections[0]!)
  })

  it('never shares a connection between tenants or host names, not even to the same receiver and address', async () => {
    const { receiver, sender, url } = await start()
    for (const tenantId of ['tenant-a', 'tenant-b', 'tenant-a']) await send(sender, url, tenantId)
    const { length } = receiver.connections
    expect(length).to.be.at.least(2)
    await send(sender, `https://127.0.0.1:${receiver.port}/`)
    expect(receiver.connections).to.have.length(length + 1)
  })

  it('opens a new connection, without losing an attempt, when the receiver has closed the idle one', async () => {
    const { receiver, sendOne } = await start()
    for (let sent = 0; sent < 20; sent++) {
      expect(await sendOne()).to.deep.equal(success)
      const connection = receiver.connections.at(-1)!
      if (sent % 2) connection.destroy()
      else connection.end()
      await closed(connection)
    }
    expect(receiver.requests).to.have.length(20)
  })

  it('fails the attempt, without sending the request twice, when the connection closes during the request', async () => {
    let responses = 0
    const { receiver, sendOne } = await start(response => {
      responses += 1
      if (responses === 1) response.writeHead(204).end()
      else response.socket?.destroy()
    })
    expect(await sendOne()).to.deep.equal(success)
    expect(await sendOne()).to.deep.equal({ ok: false, reason: 'connect' })
    expect(receiver.requests).to.have.length(2)
    expect(receiver.connections).to.have.length.below(3)
  })

  it('closes a connection that receives unsolicited data, and never takes it as a response to a later request', async () => {
    const { receiver, sendOne } = await start()
    await sendOne()
    const [request] = receiver.requests
    request?.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    await closed(receiver.connections[0]!)
    expect(await sendOne()).to.deep.equal(success)
    expect(receiver.connections).to.have.length(2)
  })

  it('replaces old connections, so that DNS changes take effect', async () => {
    const { receiver, sendOne } = await start(undefined, { connectionAgeMsMax: 0 })
    await sendOne()
    await sendOne()
    expect(receiver.connections).to.have.length(2)
  })

  const timeouts: Record<string, string> = {
    'the timeout that the receiver announces': 'keep-alive: timeout=2\r\n',
    'the 2 seconds after which gunicorn closes them, which announces nothing': '',
  }
  for (const [timeout, header] of Object.entries(timeouts)) {
    it(`closes idle connections before ${timeout}`, async () => {
      const response = `HTTP/1.1 204 No Content\r\n${header}\r\n`
      const receiver = await open(startRawReceiver(socket => socket.write(response)))
      const sender = await open(createTestSender())
      expect(await send(sender, receiver.url)).to.deep.equal(success)
      expect(receiver.connections[0]!.destroyed).to.equal(false)
      const connection = closed(receiver.connections[0]!).then(() => 'closed')
      expect(await Promise.race([connection, announcedTimeout(2_000)])).to.equal('closed')
    })
  }
})

/** Ends after the time, and after the process has read what had arrived by then. */
async function announcedTimeout(ms: number): Promise<string> {
  await wait(ms)
  for (let turns = 0; turns < 5; turns += 1) await turn()
  return 'the receiver’s timeout'
}
