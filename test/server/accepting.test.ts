import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { expect } from 'chai'
import { eventually } from '../harness/eventually.ts'
import { pendingTitle } from '../harness/pending.ts'

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
})
