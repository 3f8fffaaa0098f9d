import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { startVeriffSimulator } from '#development/veriff-simulator/start-veriff-simulator.ts'
import type { OpenedProvider } from '#server/providers/provider-adapter.ts'
import { openVeriff } from '#server/providers/veriff/open-veriff.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { call } from '../../harness/tenant-client.ts'
import { against, closeAll, expectUnavailable, newSecret, oldSecret, respondJson } from './client-harness.ts'
import { sessionId, vendorData } from './payloads.ts'

const closing: (() => Promise<void>)[] = []
async function closeOpened(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close()
  await closeAll()
}

/** A provider that checks every signature with the secrets that its portal has at the time. */
async function startPortal(...secrets: string[]) {
  const apiKey = randomUUID()
  const sharedSecrets = [...secrets]
  const started = await startVeriffSimulator({
    port: 0,
    apiKey,
    sharedSecrets,
    webhookUrl: 'http://127.0.0.1:9/verify/callback',
  })
  closing.push(started.close)
  const { baseUrl } = started
  return {
    baseUrl,
    apiKey,
    setSecrets: (...next: string[]) => void sharedSecrets.splice(0, sharedSecrets.length, ...next),
    decide: (id: string) =>
      call(`${baseUrl}/control/sessions/${id}/decide`, {
        method: 'POST',
        json: { outcome: 'approve-adult', delivery: 'missing' },
      }),
  }
}

type Portal = Awaited<ReturnType<typeof startPortal>>

interface Service extends OpenedProvider {
  start(): Promise<{ id: string; of: string }>
  poll(session: { id: string; of: string }): Promise<string | undefined>
}

function integrationAt({ baseUrl, apiKey }: Portal, sharedSecrets: string[]) {
  return { name: 'veriff', baseUrl, apiKey, sharedSecrets } as const
}

/** The service with these secrets; `previous` is the integration that its own has replaced. */
function openService(portal: Portal, sharedSecrets: string[], previous?: [Portal, ...string[]]): Service {
  const [replaced, ...itsSecrets] = previous ?? []
  const opened = openVeriff({
    ...integrationAt(portal, sharedSecrets),
    ...(replaced ? { previous: integrationAt(replaced, itsSecrets) } : {}),
  })
  closing.push(opened.close)
  const { client } = opened
  return {
    ...opened,
    async start() {
      const of = randomUUID()
      const created = await client.createSession({ verificationId: of, callback: undefined })
      return { id: created.providerSessionId, of }
    },
    poll: async ({ id, of }) => (await client.fetchDecision(id, of))?.outcome,
  }
}

/** A callback as the portal signs it. */
function accepts({ callbacks }: Service, apiKey: string, secret: string, clientHeader = 'x-auth-client') {
  const body = Buffer.from('{"verification":{}}')
  const headers = { [clientHeader]: apiKey, 'x-hmac-signature': signature(body, secret) }
  expect(callbacks.hasCredentials(headers) || !callbacks.isAuthentic(headers, body)).to.equal(true)
  return callbacks.isAuthentic(headers, body)
}

describe('The rotation of the shared secret', () => {
  afterEach(closeOpened)

  it('loses no request with NEW,OLD in the service first, and then NEW in the portal', async () => {
    const portal = await startPortal(oldSecret)
    const before = openService(portal, [oldSecret])
    const session = await before.start()
    const during = openService(portal, [newSecret, oldSecret])
    await during.start()
    expect(await during.poll(session)).to.equal(undefined)
    portal.setSecrets(newSecret)
    await portal.decide(session.id)
    expect(await during.poll(session)).to.equal('approved')
    expect(await during.poll(await during.start())).to.equal(undefined)
    expect(await openService(portal, [newSecret]).poll(session)).to.equal('approved')
    expect(await during.client.deleteSession(session.id)).to.equal('deleted')
  })

  it('loses no request with NEW in the portal first, where the service has NEW,OLD or OLD,NEW', async () => {
    for (const secrets of [
      [newSecret, oldSecret],
      [oldSecret, newSecret],
    ]) {
      const portal = await startPortal(oldSecret)
      const service = openService(portal, secrets)
      const session = await service.start()
      portal.setSecrets(newSecret)
      await Promise.all(Array.from({ length: 5 }, () => service.start()))
      await portal.decide(session.id)
      expect(await service.poll(session)).to.equal('approved')
      expect(service.secretInUse()).to.equal(secrets.indexOf(newSecret))
      expect(accepts(service, portal.apiKey, newSecret)).to.equal(true)
      expect(accepts(service, portal.apiKey, oldSecret)).to.equal(true)
    }
  })

  it('asks with the secret that was taken last, and tries each one once', async () => {
    const seen: string[] = []
    const secrets = ['one', 'two', 'three']
    let taken: string | undefined = 'two'
    const { client } = await against(
      (request, response) => {
        const index = secrets.findIndex(
          secret => signature(sessionId, secret) === request.headers['x-hmac-signature'],
        )
        seen.push(secrets[index]!)
        if (secrets[index] === taken) respondJson(response, 200, { verification: null })
        else respondJson(response, 401, { status: 'fail', code: '1818' })
      },
      { sharedSecrets: secrets },
    )
    const poll = () => client.fetchDecision(sessionId, vendorData)
    await poll()
    await poll()
    expect(seen.splice(0)).to.deep.equal(['one', 'two', 'two'])
    taken = undefined
    await expectUnavailable(poll(), /returned 401 with code 1818, the signature is refused$/)
    expect(seen.splice(0)).to.deep.equal(['two', 'three', 'one'])
    taken = 'one'
    await poll()
    expect(seen).to.deep.equal(['two', 'three', 'one'])
  })
})

describe('An integration that was replaced', () => {
  afterEach(closeOpened)

  it('loses no session: the old ones are polled and deleted there, and new ones start at the new one', async () => {
    const replaced = await startPortal(oldSecret)
    const old = openService(replaced, [oldSecret])
    const [decided, open, deleted] = [await old.start(), await old.start(), await old.start()]
    const portal = await startPortal(newSecret)
    const service = openService(portal, [newSecret], [replaced, oldSecret])
    await replaced.decide(decided.id)
    expect(await service.poll(decided)).to.equal('approved')
    expect(await service.poll(open)).to.equal(undefined)
    const started = await service.start()
    await portal.decide(started.id)
    expect(await service.poll(started)).to.equal('approved')
    await expectUnavailable(
      openService(replaced, ['other']).client.fetchDecision(started.id, started.of),
      /code 1818/,
    )
    expect(await service.client.deleteSession(deleted.id)).to.equal('deleted')
    expect(await service.client.deleteSession(deleted.id)).to.equal('unknown')
    expect(await service.poll(deleted)).to.equal(undefined)
  })

  it('reports with its own key and secret, which are never mixed with the others', async () => {
    const [portal, replaced] = [await startPortal(newSecret), await startPortal(oldSecret)]
    const service = openService(portal, [newSecret], [replaced, oldSecret])
    expect(accepts(service, portal.apiKey, newSecret)).to.equal(true)
    expect(accepts(service, replaced.apiKey, oldSecret)).to.equal(true)
    expect(accepts(service, replaced.apiKey.toUpperCase(), oldSecret, 'vrf-auth-client')).to.equal(true)
    expect(accepts(service, portal.apiKey, oldSecret)).to.equal(false)
    expect(accepts(service, replaced.apiKey, newSecret)).to.equal(false)
    expect(accepts(service, randomUUID(), newSecret)).to.equal(false)
    expect(accepts(openService(portal, [newSecret]), replaced.apiKey, oldSecret)).to.equal(false)
  })

  it('makes a poll fail when it fails itself, and none that the new one answers', async () => {
    const [portal, replaced] = [await startPortal(newSecret), await startPortal('revoked')]
    const service = openService(portal, [newSecret], [replaced, oldSecret])
    const session = await service.start()
    expect(await service.poll(session)).to.equal(undefined)
    const unknown = { id: randomUUID(), of: vendorData }
    await expectUnavailable(service.poll(unknown), /code 1818/)
    await expectUnavailable(service.client.deleteSession(unknown.id), /code 1818/)
  })

  it('is asked, too, when the new one refuses the session; if neither knows it, that error counts', async () => {
    const [portal, replaced] = [await startPortal('another'), await startPortal(oldSecret)]
    const session = await openService(replaced, [oldSecret]).start()
    await replaced.decide(session.id)
    const service = openService(portal, [newSecret], [replaced, oldSecret])
    expect(await service.poll(session)).to.equal('approved')
    await expectUnavailable(service.poll({ id: randomUUID(), of: vendorData }), /401 with code 1818/)
  })
})
