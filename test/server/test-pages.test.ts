import { expect } from 'chai'
import { forTenant } from '#domain/scope.ts'
import { setReturnUrl } from '#domain/tenant/change-settings.ts'
import { outcomes } from '#server/providers/test-provider/session.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { captureLog } from './captured-log.ts'

describe('The hosted page of a test tenant', () => {
  const captured = captureLog()
  const service = useService(() => ({ log: captured.log }))
  const tenant = useTenant(service, { test: true })
  const client = () => tenantClient(service, tenant)
  let id: string
  let url: string

  async function start(returnUrl: string | null): Promise<void> {
    await setReturnUrl(forTenant(service.operator(), tenant.tenantId), { url: returnUrl })
    const { verificationId, sessionUrl } = (await client().start()).body
    ;[id, url] = [verificationId, sessionUrl]
  }
  beforeEach(() => start(null))

  const post = (path: string, fields: Record<string, string> = {}) =>
    call(`${url}/${path}`, { method: 'POST', raw: String(new URLSearchParams(fields)) })
  const page = async () => (await call(`${url}/status`)).body
  /** Of what was reported of the verification, in order. */
  const codes = () =>
    captured
      .lines()
      .filter(({ verificationId, code }) => verificationId === id && typeof code === 'number')
      .map(({ code }) => code)

  it('opens the session once, and has no scripts; HEAD and the status page open nothing', async () => {
    await call(url, { method: 'HEAD' })
    await page()
    expect(codes()).to.deep.equal([])
    const { headers, body } = await call(url)
    await call(url)
    expect(codes()).to.deep.equal([7001])
    expect(body).to.contain('It is not Veriff').and.contain('/submit"').and.contain(id)
    expect(body).to.not.match(/<script|\son\w+=|style=/)
    const policy = headers.get('content-security-policy')
    expect(policy).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'")
  })

  it('offers every outcome, and each result is recorded before the response', async () => {
    await call(url)
    const submitted = await post('submit')
    expect(submitted.status).to.equal(303)
    expect(submitted.headers.get('location')).to.equal(`${new URL(url).pathname}/status`)
    const offered = [...(await page()).matchAll(/name="outcome" value="([^"]+)"/g)].map(match => match[1])
    expect(offered).to.deep.equal([...outcomes, 'provider-down'])
    await post('decide', { outcome: 'resubmission' })
    expect((await client().status(id)).body.status).to.equal('resubmission')
    expect(await page()).to.contain('Please try again')
    expect((await call(url)).body).to.contain('/submit"')
    await post('submit')
    await post('decide', { outcome: 'review' })
    expect(await page())
      .to.contain('In manual review')
      .and.not.contain('value="review"')
    expect((await post('decide', { outcome: 'approve-adult' })).status).to.equal(303)
    expect((await client().status(id)).body).to.include({ status: 'approved', over18: true })
    expect(codes()).to.deep.equal([7001, 7002, 9103, 7001, 7002, 9121, 9001])
    expect(await page())
      .to.contain('No further action is needed')
      .and.not.contain('<form')
    // After a final decision nothing changes.
    await post('submit')
    await post('decide', { outcome: 'decline' })
    expect(codes()).to.have.length(7)
  })

  describe('with a return URL', () => {
    const back = () => `${service.baseUrl}/return/${id}`
    beforeEach(() => start('https://shop.example/back'))

    it('cancels without an end: back by the way that live ones take, with nothing reported, and the same link continues', async () => {
      const { body } = await call(url)
      expect(body)
        .to.contain('Back to your return URL, with nothing submitted')
        .and.contain('>Cancel<')
        .and.not.contain('shop')
      for (let times = 0; times < 2; times++) {
        const left = await call(`${url}/leave`)
        expect([left.status, left.headers.get('location')]).to.deep.equal([303, back()])
      }
      expect((await call(url)).body).to.contain('/submit"')
      await post('submit')
      expect(codes()).to.deep.equal([7001, 7002])
    })
  })

  it('shows an error for an unknown result, and an unknown link as 404', async () => {
    await post('submit')
    const { status, body } = await post('decide', { outcome: 'win' })
    expect(status).to.equal(400)
    expect(body).to.contain('role="alert"').and.contain('value="decline"')
    expect(codes()).to.deep.equal([7002])
    const unknown = await call(`${service.baseUrl}/test/sessions/unknown`)
    expect(unknown.status).to.equal(404)
    expect(unknown.body).to.contain('This link is unknown')
  })
})
