import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { listen } from '#server/http/listen.ts'
import { eventually } from '#test/support/eventually.ts'
import { pendingTitle } from '#test/support/pending.ts'

const connections = 2_000

const program = `
  const { listen } = await import(${JSON.stringify(import.meta.resolve('#server/http/listen.ts'))})
  const { port } = await listen((_, response) => response.end('served'), { host: '127.0.0.1', port: 0 })
  console.log(port)`

/** The longest queue of connections that this system allows; 0 where it doesn't say. */
function backlogMax(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}

const onlyLinux = process.platform === 'linux' ? undefined : 'only Linux shares a port between sockets'

describe('A busy process', () => {
  const longQueues =
    'lets thousands of connections wait to be accepted, so that none has to try again after seconds'
  if (backlogMax() < connections)
    it(pendingTitle(longQueues, 'the system allows no long queues of connections'))
  else
    it(longQueues, async () => {
      const server = spawn(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: import.meta.dirname,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const clients: Socket[] = []
      try {
        const [printed] = await once(server.stdout, 'data')
        server.kill('SIGSTOP')
        let connected = 0
        for (let count = 0; count < connections; count++) {
          const client = createConnection(Number(printed), '127.0.0.1', () => {
            connected += 1
          })
          client.on('error', () => client.destroy())
          clients.push(client)
        }
        await eventually(() => connected, { until: count => count === connections })
        expect(connected).to.equal(connections)
      } finally {
        for (const client of clients) client.destroy()
        server.kill('SIGKILL')
        await once(server, 'exit')
      }
    })

  const severalAtOnce = 'accepts several connections in each iteration of the event loop'
  if (onlyLinux) it(pendingTitle(severalAtOnce, onlyLinux))
  else
    it(severalAtOnce, async () => {
      const { server, port, drain } = await listen((_, response) => response.end(), {
        host: '127.0.0.1',
        port: 0,
      })
      let accepted = 0
      server.on('connection', () => {
        accepted += 1
      })
      const clients = Array.from({ length: 128 }, () => createConnection(port, '127.0.0.1'))
      let iterations = 0
      while (accepted < clients.length) {
        await turn()
        iterations += 1
      }
      for (const client of clients) client.destroy()
      await drain()
      expect(iterations).to.be.below(64)
    })
})
