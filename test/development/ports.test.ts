import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { choosePorts } from '#development/ports.ts'
import { freePort } from '#server/http/free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('the ports of the embedded parts', () => {
  const folder = temporaryFolder()
  const choose = (port: number) => choosePorts(folder.path, port, ['signIn', 'postgres', 'events'])
  let base = 0

  beforeEach(async () => {
    base = await freeRun(5)
    await writeFile(join(folder.path, 'ports.json'), '')
  })

  it('follow the port of the service, and stay the same at the next start', async () => {
    const first = await choose(base)
    expect(first).to.deep.equal({ signIn: base + 2, postgres: base + 3, events: base + 4 })
    expect(await choose(await freePort('127.0.0.1'))).to.deep.equal(first)
    expect(Object.values(await choose(base + 2))).not.to.include(base + 2)
  })

  it('include neither a reserved port nor one that another program uses', async () => {
    const other = createServer()
    await new Promise<void>(resolve => other.listen(base + 3, '127.0.0.1', resolve))
    const ports = await choosePorts(folder.path, base, ['signIn', 'postgres', 'events'], [base + 2])
    other.close()
    const chosen = Object.values(ports)
    expect(new Set([base, base + 2, base + 3, ...chosen])).to.have.property('size', 6)
  })

  it('are chosen anew if the stored ones are damaged', async () => {
    await writeFile(join(folder.path, 'ports.json'), '{"signIn":"x","postgres":70000')
    expect(await choose(base)).to.have.property('signIn', base + 2)
  })
})

/** The first of `count` consecutive free ports, so that the expected ones are known. */
async function freeRun(count: number): Promise<number> {
  const first = await freePort('127.0.0.1')
  const servers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const server = createServer()
      return new Promise<typeof server | undefined>(resolve => {
        server.once('error', () => resolve(undefined))
        server.listen(first + index, '127.0.0.1', () => resolve(server))
      })
    }),
  )
  await Promise.all(servers.map(server => server && new Promise(resolve => server.close(resolve))))
  return servers.includes(undefined) ? await freeRun(count) : first
}
