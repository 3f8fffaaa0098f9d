import { expect } from 'chai'
import { type SimulatorFixture, startFixture } from './fixture.ts'

describe('the Veriff simulator’s hosted page', () => {
  let simulator: SimulatorFixture
  let url: string
  let id: string
  beforeEach(async () => {
    simulator = await startFixture()
    ;({ url, id } = await simulator.createSession({ vendorData: '<case & "42">' }))
  })
  afterEach(() => simulator.close())

  const get = async (address = url) => {
    const response = await fetch(address)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const post = (path: string, fields: Record<string, string> = {}) =>
    fetch(`${url}/${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const codes = () =>
    simulator.receiver.received.map(({ json }) => json.code ?? (json.verification as { code: number }).code)

  it('opens the session once, and shows a simulator badge and a submit button', async () => {
    const page = await get()
    expect(page.status).to.equal(200)
    expect(page.text).to.contain('Local simulator').and.contain('asks for nothing')
    expect(page.text).to.contain('Accepted (200)')
    expect(page.text).to.contain('/submit"')
    await get()
    expect(codes()).to.deep.equal([7001])
  })

  it('does not open the session for a HEAD request or for the status page', async () => {
    await fetch(url, { method: 'HEAD' })
    await get(`${url}/status`)
    expect(codes()).to.deep.equal([])
  })

  it('contains no script, cannot be framed and sends no referrer', async () => {
    const { headers, text } = await get()
    expect(text).to.not.match(/<script|\son\w+=|style=/)
    expect(headers.get('content-security-policy'))
      .to.contain("default-src 'none'")
      .and.contain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).to.equal('same-origin')
    expect(headers.get('cache-control')).to.equal('no-store')
    expect((await get(`${simulator.baseUrl}/assets/page.css`)).headers.get('content-type')).to.contain(
      'text/css',
    )
  })

  it('escapes the integration’s values', async () => {
    const { text } = await get()
    expect(text).to.contain('&lt;case &amp; &quot;42&quot;&gt;').and.not.contain('<case')
  })

  it('is submitted and decided with plain forms, and responds after the webhook was sent', async () => {
    await get()
    const submitted = await post('submit')
    expect(submitted.status).to.equal(303)
    expect(submitted.headers.get('location')).to.equal(`${new URL(url).pathname}/status`)
    expect(codes()).to.deep.equal([7001, 7002])
    const decided = await post('decide', { outcome: 'approve-adult' })
    expect(decided.status).to.equal(303)
    expect(codes()).to.deep.equal([7001, 7002, 9001])
    const page = await get()
    expect(page.text)
      .to.contain('Approved')
      .and.contain('No further action is needed')
      .and.not.contain('<form')
  })

  const endings: [string, string][] = [
    ['approve-adult', 'approved'],
    ['approve-minor', 'approved'],
    ['approve-unknown-age', 'approved'],
    ['decline', 'declined'],
    ['resubmission', 'resubmission_requested'],
    ['review', 'review'],
    ['abandon', 'abandoned'],
    ['expire', 'expired'],
  ]
  it('offers every outcome', async () => {
    await post('submit')
    const { text } = await get(`${url}/status`)
    const offered = [...text.matchAll(/name="outcome" id="[^"]+" value="([^"]+)"/g)].map(match => match[1])
    expect(offered).to.deep.equal(endings.map(([outcome]) => outcome))
  })
  for (const [outcome, status] of endings) {
    it(`ends in ${status} when a person chooses ${outcome}`, async () => {
      await get()
      await post('submit')
      await post('decide', { outcome })
      expect((await simulator.control('GET', `/sessions/${id}`)).json.session.status).to.equal(status)
    })
  }

  it('shows that the service did not accept a webhook', async () => {
    await get()
    simulator.receiver.respondWith(503)
    await post('submit')
    expect((await get(`${url}/status`)).text).to.contain('Not accepted (response 503)')
  })

  it('starts a new attempt at the same URL after a resubmission was requested', async () => {
    await get()
    await post('submit')
    await post('decide', { outcome: 'resubmission' })
    expect((await get(`${url}/status`)).text).to.contain('Please try again')
    expect(codes()).to.deep.equal([7001, 7002, 9103])
    expect((await get()).text).to.contain('/submit"')
    expect(codes()).to.deep.equal([7001, 7002, 9103, 7001])
  })

  it('offers the final decisions during a review', async () => {
    await post('submit')
    await post('decide', { outcome: 'review' })
    const { text } = await get()
    expect(text)
      .to.contain('In manual review')
      .and.contain('value="decline"')
      .and.not.contain('value="review"')
  })

  it('changes and sends nothing after a final decision', async () => {
    await post('decide', { outcome: 'decline' })
    for (const again of [() => post('submit'), () => post('decide', { outcome: 'approve-adult' })]) {
      expect((await again()).status).to.equal(303)
    }
    expect(codes()).to.deep.equal([9102])
    expect((await simulator.control('GET', `/sessions/${id}`)).json.session.status).to.equal('declined')
  })

  it('shows an error for a missing or unknown result', async () => {
    await post('submit')
    for (const fields of [{}, { outcome: 'win' }]) {
      const response = await post('decide', fields as Record<string, string>)
      expect(response.status).to.equal(400)
      expect(await response.text())
        .to.contain('role="alert"')
        .and.contain('value="decline"')
    }
    expect(codes()).to.deep.equal([7002])
  })

  it('redirects to the unchanged callback after a decision other than review', async () => {
    const callback = 'https://shop.example/back?verificationId=42&x=%20'
    ;({ url } = await simulator.createSession({ callback }))
    expect((await post('submit')).headers.get('location')).to.contain('/status')
    expect((await post('decide', { outcome: 'review' })).headers.get('location')).to.contain('/status')
    const finished = await post('decide', { outcome: 'approve-adult' })
    expect(finished.status).to.equal(303)
    expect(finished.headers.get('location')).to.equal(callback)
    expect((await get()).text).to.contain('href="https://shop.example/back?verificationId=42&amp;x=%20"')
  })

  it('encodes only the characters of a callback that a header cannot contain', async () => {
    ;({ url } = await simulator.createSession({ callback: 'https://shop.example/zurück' }))
    const finished = await post('decide', { outcome: 'decline' })
    expect(finished.headers.get('location')).to.equal('https://shop.example/zur%C3%BCck')
  })

  it('shows a page with status 404 for an unknown link', async () => {
    const page = await get(`${simulator.baseUrl}/v/unknown`)
    expect(page.status).to.equal(404)
    expect(page.text).to.contain('This link is unknown')
  })
})
