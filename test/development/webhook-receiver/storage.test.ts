import { appendFile, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { StartError } from '#server/start-error.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventBody, post, shownBy, startReceiver } from './fixture.ts'

describe('the local webhook receiver’s storage', () => {
  const folder = temporaryFolder()
  const ids = async (receiver: Parameters<typeof shownBy>[0]) =>
    (await shownBy(receiver)).map(({ body }) => body?.data.verificationId)

  it('keeps the events across a restart', async () => {
    const data = join(folder.path, 'restarted')
    await mkdir(data)
    const first = await startReceiver(data)
    await post(first, eventBody('a'))
    await post(first, eventBody('b'))
    await first.close()

    const second = await startReceiver(data)
    expect(await ids(second)).to.deep.equal(['b', 'a'])
    await post(second, eventBody('c'))
    await second.close()

    const third = await startReceiver(data)
    expect(await ids(third)).to.deep.equal(['c', 'b', 'a'])
    await third.close()
  })

  it('keeps the events after a kill, even if the last write was interrupted', async () => {
    const killed = join(folder.path, 'killed')
    const running = await startReceiver(folder.path)
    await post(running, eventBody('acknowledged'))
    await mkdir(killed)
    for (const suffix of ['', '-wal']) {
      const file = `received-events.sqlite${suffix}`
      await copyFile(join(folder.path, file), join(killed, file))
    }
    await running.close()
    await appendFile(join(killed, 'received-events.sqlite-wal'), Buffer.alloc(1_000, 7))

    const restarted = await startReceiver(killed)
    expect((await ids(restarted))[0]).to.equal('acknowledged')
    await post(restarted, eventBody('next'))
    expect((await ids(restarted)).slice(0, 2)).to.deep.equal(['next', 'acknowledged'])
    await restarted.close()
  })

  it('keeps the last 200 events and no more', async () => {
    const receiver = await startReceiver(folder.path)
    for (let sent = 0; sent < 205; sent += 1) await post(receiver, eventBody(`n${sent}`))
    const shown = await ids(receiver)
    expect(shown).to.have.length(200)
    expect([shown[0], shown[199]]).to.deep.equal(['n204', 'n5'])
    await receiver.close()

    const again = await startReceiver(folder.path)
    expect(await ids(again)).to.deep.equal(shown)
    await again.close()
  })

  it('keeps all of many events that arrive concurrently', async () => {
    const receiver = await startReceiver(folder.path)
    const sent = Array.from({ length: 40 }, (_, i) => `concurrent-${i}`)
    await Promise.all(sent.map(id => post(receiver, eventBody(id))))
    await receiver.close()
    const again = await startReceiver(folder.path)
    expect(await ids(again)).to.include.members(sent)
    await again.close()
  })

  it('keeps one certificate, with a private key readable only by its owner', async () => {
    const authority = async () => {
      const receiver = await startReceiver(folder.path)
      await receiver.close()
      return await readFile(receiver.authorityFile, 'utf8')
    }
    const kept = await authority()
    expect(kept).to.not.contain('PRIVATE KEY')
    expect(await authority()).to.equal(kept)
    const key = join(folder.path, 'webhook-receiver-tls.pem')
    expect((await stat(key)).mode & 0o777).to.equal(0o600)

    await writeFile(key, 'damaged')
    expect(await authority()).to.not.equal(kept)
    expect((await stat(key)).mode & 0o777).to.equal(0o600)
  })

  it('creates a new certificate if the stored one has expired', async () => {
    const at = async (time: string) => {
      const receiver = await startReceiver(folder.path, { now: () => new Date(time) })
      await receiver.close()
      return await readFile(receiver.authorityFile, 'utf8')
    }
    expect(await at('2026-11-20T00:00:00Z')).to.equal(await at('2036-11-01T00:00:00Z'))
    const next = await at('2038-01-01T00:00:00Z')
    expect(next).to.equal(await at('2047-12-01T00:00:00Z'))
    expect(next).to.not.equal(await at('2026-11-20T00:00:00Z'))
  })

  it('fails with a one-line error if a port is taken, and closes its data file', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    for (const ports of [{ httpsPort: port }, { viewPort: port }]) {
      const error = await startReceiver(folder.path, ports).catch((caught: unknown) => caught)
      expect(error).to.be.instanceOf(StartError)
      expect((error as Error).message).to.match(
        new RegExp(`^The webhook receiver .*127.0.0.1:${port}.*EADDRINUSE`),
      )
    }
    taken.close()
    // SQLite deletes the log of a file that is closed.
    expect(await readdir(folder.path)).to.not.include('received-events.sqlite-wal')
  })
})
