import { expect } from 'chai'
import { createTestSender, send, useAutoClose } from './fixture.ts'
import { startReceiver } from './tls-receiver.ts'

describe('WebhookSender resolves host names', () => {
  const open = useAutoClose()
  const rejected = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

  for (const [problem, resolve] of Object.entries<() => Promise<string[]>>({
    'the name does not exist': rejected('ENOTFOUND'),
    'its name server does not respond': rejected('ETIMEOUT'),
    'the name has no address': async () => [],
  })) {
    it(`and fails the attempt with the reason dns when ${problem}`, async () => {
      const sender = await open(createTestSender({ resolver: { resolve4: resolve, resolve6: resolve } }))
      expect(await send(sender, 'https://receiver.test/')).to.deep.equal({ ok: false, reason: 'dns' })
    })
  }

  it('and does not delay other attempts while the name servers of 100 names do not respond', async () => {
    const lookup = Promise.withResolvers<string[]>()
    const resolver = {
      resolve4: (name: string) =>
        name.endsWith('.dead.test') ? lookup.promise : Promise.resolve(['127.0.0.1']),
      resolve6: async () => [],
    }
    const receiver = await open(startReceiver())
    const sender = await open(createTestSender({ resolver, deadlineMs: 60_000 }))
    const names = Array.from({ length: 100 }, (_, i) => `host-${i}.dead.test`)
    const unresponsive = names.map(name => send(sender, `https://${name}/`, name))
    expect(await send(sender, receiver.url)).to.deep.equal({ ok: true, status: 204 })
    lookup.resolve([])
    for (const result of await Promise.all(unresponsive)) expect(result).to.include({ reason: 'dns' })
  })
})
