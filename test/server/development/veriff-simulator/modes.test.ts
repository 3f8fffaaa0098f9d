import { expect } from 'chai'
import { hmac, startTrial, type Trial } from './start.ts'

describe('the stand-in: failing on purpose', () => {
  let trial: Trial
  beforeEach(async () => {
    trial = await startTrial()
  })
  afterEach(() => trial.close())

  const create = () => trial.api('POST', '/v1/sessions', { body: { verification: {} } })
  const setMode = (mode: object) => trial.control('PUT', '/mode', mode)
  const sessionCount = async () => (await trial.control('GET', '/sessions')).json.sessions.length

  it('answers an error of choice, and makes no session', async () => {
    await setMode({ createSession: 'error-503' })
    const answer = await create()
    expect(answer.status).to.equal(503)
    expect(answer.json).to.include({ status: 'fail', code: '503' })
    expect(await sessionCount()).to.equal(0)
  })

  it('answers what is not JSON', async () => {
    await setMode({ createSession: 'garbage' })
    const answer = await create()
    expect(answer.status).to.equal(200)
    expect(answer.json).to.equal(undefined)
  })

  it('closes the connection', async () => {
    await setMode({ createSession: 'unreachable' })
    const failure = await create().catch(error => error)
    expect(failure).to.be.instanceOf(TypeError)
    expect(await sessionCount()).to.equal(0)
  })

  it('never answers, and can still be closed', async () => {
    await setMode({ createSession: 'hang' })
    const pending = create().catch(error => error)
    expect(await sessionCount()).to.equal(0)
    await trial.close()
    expect(await pending).to.be.instanceOf(TypeError)
  })

  it('signs answers wrongly or not at all, for one call and not for the other', async () => {
    const { id } = await trial.createSession()
    await setMode({ decision: 'wrong-signature' })
    const forged = await trial.api('GET', `/v1/sessions/${id}/decision`)
    expect(forged.status).to.equal(200)
    expect(forged.headers.get('x-hmac-signature')).to.match(/^[0-9a-f]{64}$/)
    expect(forged.headers.get('x-hmac-signature')).to.not.equal(hmac(forged.text))
    await setMode({ decision: 'unsigned' })
    expect((await trial.api('GET', `/v1/sessions/${id}/decision`)).headers.get('x-hmac-signature')).to.equal(
      null,
    )
    const created = await create()
    expect(created.headers.get('x-hmac-signature')).to.equal(hmac(created.text))
  })

  it('is well again when told so', async () => {
    await setMode({ createSession: 'error-500', decision: 'hang' })
    expect((await setMode({})).json).to.deep.equal({ createSession: 'ok', decision: 'ok' })
    expect((await create()).status).to.equal(201)
  })

  it('refuses a mode that it does not know', async () => {
    expect((await setMode({ createSession: 'error-999' })).status).to.equal(400)
    expect((await setMode({ createSessions: 'ok' })).status).to.equal(400)
  })
})
