import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { StartError } from '#server/start-error.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventBody, post, shownBy, startReceiver } from './receiver.ts'

describe('the local event receiver: what it keeps', () => {
  const folder = temporaryFolder()
  const ids = async (receiver: Parameters<typeof shownBy>[0]) =>
    (await shownBy(receiver)).map(({ body }) => body?.data.verificationId)

  it('shows its events again after a restart, also after a line that a crash cut short', async () => {
    const first = await startReceiver(folder.path)
    await post(first, eventBody('a'))
    await post(first, eventBody('b'))
    await first.close()
    await appendFile(join(folder.path, 'received-events.jsonl'), '{"receivedAt":"2026-')

    const second = await startReceiver(folder.path)
    expect(await ids(second)).to.deep.equal(['b', 'a'])
    await post(second, eventBody('c'))
    await second.close()

    const third = await startReceiver(folder.path)
    expect(await ids(third)).to.deep.equal(['c', 'b', 'a'])
    await third.close()
  })

  it('keeps the last 200 events and no more, in memory and in its file', async () => {
    const receiver = await startReceiver(folder.path)
    for (let sent = 0; sent < 405; sent += 1) await post(receiver, eventBody(`n${sent}`))
    const shown = await ids(receiver)
    expect(shown).to.have.length(200)
    expect([shown[0], shown[199]]).to.deep.equal(['n404', 'n205'])
    await receiver.close()
    const lines = (await readFile(join(folder.path, 'received-events.jsonl'), 'utf8')).trim().split('\n')
    expect(lines.length).to.be.within(200, 400)

    const again = await startReceiver(folder.path)
    expect(await ids(again)).to.deep.equal(shown)
    await again.close()
  })

  it('loses none of many that arrive at once', async () => {
    const receiver = await startReceiver(folder.path)
    const sent = Array.from({ length: 40 }, (_, i) => `at-once-${i}`)
    await Promise.all(sent.map(id => post(receiver, eventBody(id))))
    await receiver.close()
    const again = await startReceiver(folder.path)
    expect(await ids(again)).to.include.members(sent)
    await again.close()
  })

  it('keeps one certificate, with a key that only its owner can read', async () => {
    const authority = async () => {
      const receiver = await startReceiver(folder.path)
      await receiver.close()
      return await readFile(receiver.authorityFile, 'utf8')
    }
    const kept = await authority()
    expect(kept).to.not.contain('PRIVATE KEY')
    expect(await authority()).to.equal(kept)
    const key = join(folder.path, 'event-receiver-tls.pem')
    expect((await stat(key)).mode & 0o777).to.equal(0o600)

    await writeFile(key, 'damaged')
    expect(await authority()).to.not.equal(kept)
    expect((await stat(key)).mode & 0o777).to.equal(0o600)
  })

  it('makes a new certificate when the old one has run out', async () => {
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

  it('says in one line which port is taken, and leaves nothing open', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    for (const ports of [{ httpsPort: port }, { viewPort: port }]) {
      const error = await startReceiver(folder.path, ports).catch((fault: unknown) => fault)
      expect(error).to.be.instanceOf(StartError)
      expect((error as Error).message).to.match(
        new RegExp(`^The event receiver .*127.0.0.1:${port}.*EADDRINUSE`),
      )
    }
    taken.close()
    expect(await readdir(folder.path)).to.not.include('received-events.jsonl.new')
  })
})
