import { expect } from 'chai'
import { hmac, type SimulatorFixture, startFixture } from './fixture.ts'

describe('the Veriff simulator’s injected failures', () => {
  let simulator: SimulatorFixture
  beforeEach(async () => {
    simulator = await startFixture()
  })
  afterEach(() => simulator.close())

  const create = () => simulator.api('POST', '/v1/sessions', { body: { verification: {} } })
  const setMode = (mode: object) => simulator.control('PUT', '/mode', mode)
  const sessionCount = async () => (await simulator.control('GET', '/sessions')).json.sessions.length

  it('responds with the configured status, and creates no session', async () => {
    await setMode({ createSession: 'error-503' })
    const response = await create()
    expect(response.status).to.equal(503)
    expect(response.json).to.include({ status: 'fail', code: '503' })
    expect(await sessionCount()).to.equal(0)
  })

  it('responds with a body that is not JSON', async () => {
    await setMode({ createSession: 'garbage' })
    const response = await create()
    expect(response.status).to.equal(200)
    expect(response.json).to.equal(undefined)
  })

  it('closes the connection without a response', async () => {
    await setMode({ createSession: 'unreachable' })
    const failure = await create().catch(error => error)
    expect(failure).to.be.instanceOf(TypeError)
    expect(await sessionCount()).to.equal(0)
  })

  it('never responds, and can still be closed', async () => {
    await setMode({ createSession: 'hang' })
    const pending = create().catch(error => error)
    expect(await sessionCount()).to.equal(0)
    await simulator.close()
    expect(await pending).to.be.instanceOf(TypeError)
  })

  it('responds with an invalid or no signature to the configured call only', async () => {
    const { id } = await simulator.createSession()
    await setMode({ decision: 'wrong-signature' })
    const forged = await simulator.api('GET', `/v1/sessions/${id}/decision`)
    expect(forged.status).to.equal(200)
    expect(forged.headers.get('x-hmac-signature')).to.match(/^[0-9a-f]{64}$/)
    expect(forged.headers.get('x-hmac-signature')).to.not.equal(hmac(forged.text))
    await setMode({ decision: 'unsigned' })
    expect(
      (await simulator.api('GET', `/v1/sessions/${id}/decision`)).headers.get('x-hmac-signature'),
    ).to.equal(null)
    const created = await create()
    expect(created.headers.get('x-hmac-signature')).to.equal(hmac(created.text))
  })

  it('responds normally after the modes are reset', async () => {
    await setMode({ createSession: 'error-500', decision: 'hang' })
    const normal = { createSession: 'ok', decision: 'ok', deleteSession: 'ok' }
    expect((await setMode({})).json).to.deep.equal(normal)
    expect((await create()).status).to.equal(201)
  })

  it('rejects an unknown mode and an unknown call', async () => {
    expect((await setMode({ createSession: 'error-999' })).status).to.equal(400)
    expect((await setMode({ createSession: 'disabled' })).status).to.equal(400)
    expect((await setMode({ createSessions: 'ok' })).status).to.equal(400)
  })
})
