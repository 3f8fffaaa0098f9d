import { expect } from 'chai'
import { startTrial, type Trial } from './start.ts'

describe('the stand-in: the hosted page, without a browser', () => {
  let trial: Trial
  let url: string
  let id: string
  beforeEach(async () => {
    trial = await startTrial()
    ;({ url, id } = await trial.createSession({ vendorData: '<case & "42">' }))
  })
  afterEach(() => trial.close())

  const get = async (address = url) => {
    const response = await fetch(address)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const post = (path: string, fields: Record<string, string> = {}) =>
    fetch(`${url}/${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const codes = () =>
    trial.receiver.received.map(({ json }) => json.code ?? (json.verification as { code: number }).code)

  it('opens the session once, says what it is, and offers to submit', async () => {
    const page = await get()
    expect(page.status).to.equal(200)
    expect(page.text).to.contain('Local stand-in').and.contain('nothing is asked for')
    expect(page.text).to.contain('Accepted by the service (200)')
    expect(page.text).to.contain('/submit"')
    await get()
    expect(codes()).to.deep.equal([7001])
  })

  it('is not opened by a link checker or by looking at its status', async () => {
    await fetch(url, { method: 'HEAD' })
    await get(`${url}/status`)
    expect(codes()).to.deep.equal([])
  })

  it('runs no script, is framed by nobody and keeps its address to itself', async () => {
    const { headers, text } = await get()
    expect(text).to.not.match(/<script|\son\w+=|style=/)
    expect(headers.get('content-security-policy'))
      .to.contain("default-src 'none'")
      .and.contain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).to.equal('no-referrer')
    expect(headers.get('cache-control')).to.equal('no-store')
    expect((await get(`${trial.baseUrl}/assets/page.css`)).headers.get('content-type')).to.contain('text/css')
    expect((await get(`${trial.baseUrl}/assets/icon.svg`)).headers.get('content-type')).to.contain(
      'image/svg+xml',
    )
  })

  it('shows what the integrator sent as text, never as markup', async () => {
    const { text } = await get()
    expect(text).to.contain('&lt;case &amp; &quot;42&quot;&gt;').and.not.contain('<case')
  })

  it('is submitted and decided by plain forms, and answers when the service has been told', async () => {
    await get()
    const submitted = await post('submit')
    expect(submitted.status).to.equal(303)
    expect(submitted.headers.get('location')).to.equal(`${new URL(url).pathname}/status`)
    expect(codes()).to.deep.equal([7001, 7002])
    const decided = await post('decide', { outcome: 'approve-adult' })
    expect(decided.status).to.equal(303)
    expect(codes()).to.deep.equal([7001, 7002, 9001])
    const page = await get()
    expect(page.text).to.contain('Approved').and.contain('nothing left to do').and.not.contain('<form')
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
      expect((await trial.control('GET', `/sessions/${id}`)).json.session.status).to.equal(status)
    })
  }

  it('says when the service did not accept', async () => {
    await get()
    trial.receiver.answerWith(503)
    await post('submit')
    expect((await get(`${url}/status`)).text).to.contain('Not accepted so far (answer 503)')
  })

  it('starts a new attempt at the same address after a resubmission was asked for', async () => {
    await get()
    await post('submit')
    await post('decide', { outcome: 'resubmission' })
    expect((await get(`${url}/status`)).text).to.contain('Please try once more')
    expect(codes()).to.deep.equal([7001, 7002, 9103])
    expect((await get()).text).to.contain('/submit"')
    expect(codes()).to.deep.equal([7001, 7002, 9103, 7001])
  })

  it('stays to be decided finally after a review', async () => {
    await post('submit')
    await post('decide', { outcome: 'review' })
    const { text } = await get()
    expect(text)
      .to.contain('In manual review')
      .and.contain('value="decline"')
      .and.not.contain('value="review"')
  })

  it('changes nothing and tells nobody once it is finished', async () => {
    await post('decide', { outcome: 'decline' })
    for (const again of [() => post('submit'), () => post('decide', { outcome: 'approve-adult' })]) {
      expect((await again()).status).to.equal(303)
    }
    expect(codes()).to.deep.equal([9102])
    expect((await trial.control('GET', `/sessions/${id}`)).json.session.status).to.equal('declined')
  })

  it('asks again when no result or an unknown one was chosen', async () => {
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

  it('sends the person back to the callback with nothing appended, except for a review', async () => {
    const callback = 'https://shop.example/back?verificationId=42&x=%20'
    ;({ url } = await trial.createSession({ callback }))
    expect((await post('submit')).headers.get('location')).to.contain('/status')
    expect((await post('decide', { outcome: 'review' })).headers.get('location')).to.contain('/status')
    const finished = await post('decide', { outcome: 'approve-adult' })
    expect(finished.status).to.equal(303)
    expect(finished.headers.get('location')).to.equal(callback)
    expect((await get()).text).to.contain('href="https://shop.example/back?verificationId=42&amp;x=%20"')
  })

  it('encodes of a callback only what no header can carry', async () => {
    ;({ url } = await trial.createSession({ callback: 'https://shop.example/zurück' }))
    const finished = await post('decide', { outcome: 'decline' })
    expect(finished.headers.get('location')).to.equal('https://shop.example/zur%C3%BCck')
  })

  it('answers an unknown link with a page and 404', async () => {
    const page = await get(`${trial.baseUrl}/v/unknown`)
    expect(page.status).to.equal(404)
    expect(page.text).to.contain('This link is not known')
  })
})
