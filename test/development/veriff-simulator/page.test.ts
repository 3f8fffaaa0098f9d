import { expect } from 'chai'
import { outcomes } from '#server/test-provider/session.ts'
import { call } from '../../harness/tenant-client.ts'
import { type Fixture, startFixture } from './fixture.ts'

describe('the Veriff simulator’s hosted page', () => {
  let simulator: Fixture
  let url: string
  beforeEach(async () => {
    simulator = await startFixture()
    ;({ url } = await simulator.createSession({ vendorData: '<case & "42">' }))
  })
  afterEach(() => simulator.close())

  const post = (path: string, fields: Record<string, string> = {}) =>
    call(`${url}/${path}`, { method: 'POST', raw: String(new URLSearchParams(fields)) })
  const status = async () => (await call(`${url}/status`)).body
  const codes = () => simulator.receiver.codes()

  it('opens the session once, and has no scripts; HEAD and the status page open nothing', async () => {
    await call(url, { method: 'HEAD' })
    await status()
    expect(codes()).to.deep.equal([])
    const { headers, body } = await call(url)
    await call(url)
    expect(codes()).to.deep.equal([7001])
    expect(body).to.contain('It is not Veriff').and.contain('/submit"')
    expect(body).to.contain('&lt;case &amp; &quot;42&quot;&gt;').and.not.contain('<case')
    expect(body).to.not.match(/<script|\son\w+=|style=/)
    const policy = headers.get('content-security-policy')
    expect(policy).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'")
  })

  it('offers every outcome, and each webhook is sent before the response', async () => {
    await call(url)
    const submitted = await post('submit')
    expect(submitted.status).to.equal(303)
    expect(submitted.headers.get('location')).to.equal(`${new URL(url).pathname}/status`)
    const offered = [...(await status()).matchAll(/name="outcome" value="([^"]+)"/g)].map(match => match[1])
    expect(offered).to.deep.equal([...outcomes, 'provider-down'])
    await post('decide', { outcome: 'resubmission' })
    expect(await status()).to.contain('Please try again')
    expect((await call(url)).body).to.contain('/submit"')
    await post('submit')
    await post('decide', { outcome: 'review' })
    expect(await status())
      .to.contain('In manual review')
      .and.not.contain('value="review"')
    expect((await post('decide', { outcome: 'approve-adult' })).status).to.equal(303)
    expect(codes()).to.deep.equal([7001, 7002, 9103, 7001, 7002, 9121, 9001])
    expect(await status())
      .to.contain('No further action is needed')
      .and.not.contain('<form')
    // After a final decision nothing changes.
    await post('submit')
    await post('decide', { outcome: 'decline' })
    expect(codes()).to.have.length(7)
  })

  describe('with a callback', () => {
    const callback = 'https://shop.example/back?verificationId=42&x=%20'
    beforeEach(async () => {
      ;({ url } = await simulator.createSession({ callback }))
    })

    it('cancels without an end: back to the shop with nothing reported, and the same link continues', async () => {
      const { body } = await call(url)
      expect(body).to.contain('Back to shop.example, with nothing submitted').and.contain('>Cancel<')
      for (let times = 0; times < 2; times++) {
        const left = await call(`${url}/leave`)
        expect([left.status, left.headers.get('location')]).to.deep.equal([303, callback])
      }
      expect((await call(url)).body).to.contain('/submit"')
      await post('submit')
      expect(codes()).to.deep.equal([7001, 7002])
    })

    it('returns before the result, which is chosen when the link is opened again', async () => {
      await call(url)
      await post('submit')
      expect(await status())
        .to.contain('Return before the result')
        .and.contain('Back to shop.example')
      expect((await call(`${url}/leave`)).headers.get('location')).to.equal(callback)
      expect(codes()).to.deep.equal([7001, 7002])
      expect((await call(url)).body).to.contain('value="approve-adult"')
      expect((await post('decide', { outcome: 'approve-adult' })).headers.get('location')).to.equal(callback)
      expect(codes()).to.deep.equal([7001, 7002, 9001])
    })

    it('returns from a manual review before the result, too', async () => {
      await call(url)
      await post('submit')
      await post('decide', { outcome: 'review' })
      expect(await status()).to.contain('Return before the result')
      expect((await call(`${url}/leave`)).headers.get('location')).to.equal(callback)
    })

    it('abandons, which ends the session', async () => {
      expect((await call(url)).body)
        .to.contain('Abandon')
        .and.contain('the verification is rejected')
      expect((await post('decide', { outcome: 'abandon' })).headers.get('location')).to.contain('/status')
      expect(codes()).to.deep.equal([7001, 9104])
      expect((await call(url)).body)
        .to.contain('This check has ended')
        .and.not.contain('<form')
      expect((await call(`${url}/leave`)).headers.get('location')).to.equal(callback)
    })
  })

  it('says what is open to a user who leaves without a callback, and leads back', async () => {
    const left = async () => (await call(`${url}/leave`)).body
    const link = `<a class="button" href="${new URL(url).pathname}">`
    await call(url)
    expect(await left())
      .to.contain('Cancelled')
      .and.contain(`${link}Continue`)
    await post('submit')
    expect(await left())
      .to.contain('The result comes later')
      .and.contain(`${link}Choose the result`)
    expect(codes()).to.deep.equal([7001, 7002])
    await post('decide', { outcome: 'decline' })
    expect(await left()).to.contain('Declined')
  })

  it('sends no webhook for a callback that is lost, and answers no request while the provider is down', async () => {
    const { id, url: page } = await simulator.createSession()
    url = page
    await post('decide', { outcome: 'provider-down' })
    expect(await status()).to.contain('The provider does not answer')
    expect((await simulator.api('GET', `/v1/sessions/${id}/decision`)).status).to.equal(503)
    await post('decide', { outcome: 'approve-minor', lostCallback: 'on' })
    expect(codes()).to.deep.equal([])
    expect(await simulator.poll(id)).to.include({ status: 'approved' })
  })

  it('shows an error for an unknown result, and an unknown link as 404', async () => {
    await post('submit')
    const { status: code, body } = await post('decide', { outcome: 'win' })
    expect(code).to.equal(400)
    expect(body).to.contain('role="alert"').and.contain('value="decline"')
    expect(codes()).to.deep.equal([7002])
    const unknown = await call(`${simulator.baseUrl}/v/unknown`)
    expect(unknown.status).to.equal(404)
    expect(unknown.body).to.contain('This link is unknown')
  })

  it('redirects to the unchanged callback after a decision other than review', async () => {
    const callback = 'https://shop.example/back?verificationId=42&x=%20'
    ;({ url } = await simulator.createSession({ callback }))
    simulator.receiver.respondWith(() => 503)
    expect((await post('decide', { outcome: 'review' })).headers.get('location')).to.contain('/status')
    expect((await post('decide', { outcome: 'decline' })).headers.get('location')).to.equal(callback)
    expect(await status()).to.contain(`href="${callback.replace('&', '&amp;')}"`)
    // Only characters that a header cannot contain are encoded.
    ;({ url } = await simulator.createSession({ callback: 'https://shop.example/zurück' }))
    const { headers } = await post('decide', { outcome: 'decline' })
    expect(headers.get('location')).to.equal('https://shop.example/zur%C3%BCck')
  })
})
