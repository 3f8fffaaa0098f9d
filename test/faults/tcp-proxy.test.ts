import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import { TcpProxy } from '../harness/engines/tcp-proxy.ts'
import { eventually } from '../harness/eventually.ts'

describe('The network of the service under faults', () => {
  let echo: Server
  let proxy: TcpProxy
  let client: Socket
  let received: string
  before(async () => {
    echo = createServer(socket => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1')
    await once(echo, 'listening')
    proxy = await TcpProxy.open((echo.address() as { port: number }).port)
  })
  after(async () => {
    await proxy.close()
    echo.close()
  })
  beforeEach(async () => {
    received = ''
    client = connect(proxy.port, '127.0.0.1').setEncoding('utf8')
    client
      .on('error', () => undefined)
      .on('data', text => {
        received += text
      })
    client.write('1')
    await eventually(() => received === '1')
  })
  afterEach(() => {
    proxy.set('open')
    client.destroy()
  })

  it('keeps the order of what was delayed and what comes after', async () => {
    proxy.set('delayed', 100)
    client.write('2')
    await eventually(() => client.bytesWritten === 2)
    proxy.set('open')
    client.write('3')
    await eventually(() => received.length === 3)
    expect(received).to.equal('123')
  })

  it('delivers what was stalled when it is open again', async () => {
    proxy.set('stalled')
    client.write('2')
    proxy.set('open')
    await eventually(() => received === '12')
  })

  it('loses for ever what was sent while it was cut, without resetting the connection', async () => {
    proxy.set('cut')
    client.write('2')
    await eventually(() => proxy.dropped === 1)
    proxy.set('open')
    client.write('3')
    await eventually(() => proxy.dropped === 2)
    expect(received).to.equal('1')
    expect(client.destroyed).to.equal(false)
  })

  it('resets connections that lost responses, and those that are refused', async () => {
    proxy.set('one-way')
    client.write('2')
    await eventually(() => client.bytesWritten === 2)
    proxy.set('open')
    await eventually(() => client.destroyed)
    expect(received).to.equal('1')
    proxy.set('refused')
    const refused = connect(proxy.port, '127.0.0.1')
    const [error] = await once(refused, 'error')
    expect(error.code).to.equal('ECONNRESET')
  })
})
