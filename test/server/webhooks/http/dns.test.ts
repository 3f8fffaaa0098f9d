import { expect } from 'chai'
import { createResolver } from '#server/webhooks/http/resolve-receiver.ts'
import { scaledTimeout } from '#test/harness/scaled-timeout.ts'
import { createTestSender, requestTo, send, useAutoClose } from './fixture.ts'
import { type Answer, startNameServer } from './name-server.ts'
import { startReceiver } from './tls-receiver.ts'

const success = { ok: true, status: 204 }
const nameNotResolved = { ok: false, reason: 'dns' }

describe('WebhookSender resolves host names', () => {
  const open = useAutoClose()
  const rejected = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))
  const { promise: silence } = Promise.withResolvers<string[]>()

  for (const [problem, resolve] of Object.entries<() => Promise<string[]>>({
    'the name does not exist': rejected('ENOTFOUND'),
    'its name server does not respond': rejected('ETIMEOUT'),
    'the name has no address': async () => [],
    'the lookup does not end in time': () => silence,
  })) {
    it(`and fails the attempt with the reason dns when ${problem}`, async () => {
      const resolver = { resolve4: resolve, resolve6: resolve }
      const sender = await open(createTestSender({ resolver, deadlineMs: 200 }))
      expect(await send(sender, 'https://receiver.test/')).to.deep.equal(nameNotResolved)
    })
  }

  /** A sender that asks name servers which all give the same answers. */
  async function senderAt(answers: { A: Answer; AAAA: Answer }, servers = 1) {
    const started = await Promise.all(Array.from({ length: servers }, () => open(startNameServer(answers))))
    const resolver = createResolver()
    resolver.setServers(started.map(({ address }) => address))
    await open({ close: async () => resolver.cancel() })
    return await open(createTestSender({ resolver, allowedNetworks: ['127.0.0.0/8'] }))
  }

  const here = ['127.0.0.1']
  const errors = ['SERVFAIL', 'NXDOMAIN', 'REFUSED', 'NOTIMP', 'FORMERR'] as const
  const answers: [A: Answer, AAAA: Answer, outcome: typeof success | typeof nameNotResolved][] = [
    [here, [], success],
    ...errors.map((error): [Answer, Answer, typeof success] => [here, error, success]),
    ['NXDOMAIN', 'NXDOMAIN', nameNotResolved],
    ['SERVFAIL', 'SERVFAIL', nameNotResolved],
    [[], [], nameNotResolved],
  ]
  for (const [A, AAAA, outcome] of answers) {
    const title = `A: ${A.toString() || 'none'}, AAAA: ${AAAA.toString() || 'none'}`
    it(`and ${outcome.ok ? 'delivers' : 'fails the attempt with the reason dns'} when its server says ${title}`, async () => {
      const receiver = await open(startReceiver())
      expect(await send(await senderAt({ A, AAAA }), receiver.url)).to.deep.equal(outcome)
    })
  }

  for (const servers of [1, 2, 3]) {
    it(`and delivers although ${servers} name servers never answer the query for IPv6`, async () => {
      const receiver = await open(startReceiver())
      const sender = await senderAt({ A: here, AAAA: 'silence' }, servers)
      const result = await sender.send(requestTo(receiver.url))
      expect(result).to.include(success)
      // It waits briefly; c-ares would give up after 2.4 s for each server.
      expect(result.durationMs).to.be.within(50, scaledTimeout(servers * 2_400))
    })
  }

  it('and does not delay other attempts while the name servers of 100 names do not respond', async () => {
    const lookup = Promise.withResolvers<string[]>()
    const resolver = {
      resolve4: (name: string) => (name.endsWith('.dead.test') ? lookup.promise : Promise.resolve(here)),
      resolve6: async () => [],
    }
    const receiver = await open(startReceiver())
    const sender = await open(createTestSender({ resolver, deadlineMs: 60_000 }))
    const names = Array.from({ length: 100 }, (_, i) => `host-${i}.dead.test`)
    const unresponsive = names.map(name => send(sender, `https://${name}/`, name))
    expect(await send(sender, receiver.url)).to.deep.equal(success)
    lookup.resolve([])
    for (const result of await Promise.all(unresponsive)) expect(result).to.include({ reason: 'dns' })
  })
})
