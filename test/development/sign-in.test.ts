import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import type { SignInOptions } from '#development/sign-in/sign-in-options.ts'
import { type SignIn, startSignIn } from '#development/sign-in/start-sign-in.ts'
import { StartError } from '#server/configuration/start-error.ts'
import { authorize, openBrowser, redeemCode, signInAs } from '../harness/sign-in-as.ts'
import { call } from '../harness/tenant-client.ts'
import { temporaryFolder } from './temporary-folder.ts'

const dashboard = 'http://localhost:3999'
const client = { clientId: 'dashboard', redirectUri: `${dashboard}/dashboard/signed-in` }
const audience = 'console'

describe('the development sign-in provider', () => {
  const folder = temporaryFolder()
  const errors: Error[] = []
  let signIn: SignIn

  const start = (options: Partial<SignInOptions> = {}) =>
    startSignIn({
      port: 0,
      clientId: client.clientId,
      audience,
      redirectUris: [client.redirectUri],
      postLogoutRedirectUris: [`${dashboard}/dashboard/`],
      dashboardOrigins: [dashboard],
      users: [{ subject: 'olivia', name: 'Olivia <Owner>', email: 'olivia@example.com', hint: 'Owner' }],
      keysFile: join(folder.path, 'sign-in-keys'),
      onError: error => errors.push(error),
      ...options,
    })
  const discover = async () => await json(await fetch(`${signIn.issuer}/.well-known/openid-configuration`))
  const verify = async (token: string) =>
    await jwtVerify(token, createRemoteJWKSet(new URL((await discover()).jwks_uri!)), {
      issuer: signIn.issuer,
      audience,
    })

  before(async () => {
    signIn = await start()
  })
  after(async () => {
    await signIn.close()
  })
  afterEach(() => {
    expect(errors).to.deep.equal([])
  })

  it('issues tokens to a chosen user, and an access token to any subject that is entered', async () => {
    const granted = await authorize(signIn.issuer, { ...client, browser: openBrowser(), subject: 'olivia' })
    const { id_token, access_token } = await json(await redeemCode(signIn.issuer, { ...client, ...granted }))
    const { payload, protectedHeader } = await verify(access_token!)
    expect(payload).to.include({ sub: 'olivia', aud: audience, iss: signIn.issuer })
    expect(payload.exp! - payload.iat!).to.equal(3_600)
    expect(protectedHeader.alg).to.equal('ES256')
    const user = { sub: 'olivia', name: 'Olivia <Owner>', email: 'olivia@example.com' }
    expect(decodeJwt(id_token!)).to.include({ ...user, aud: client.clientId })
    const other = await signInAs(signIn.issuer, { ...client, subject: 'someone@example.com' })
    expect((await verify(other)).payload.sub).to.equal('someone@example.com')
  })

  it('rejects a code with another code verifier, and a code that was already used', async () => {
    const browser = openBrowser()
    const first = await authorize(signIn.issuer, { ...client, browser, subject: 'olivia' })
    const stolen = await redeemCode(signIn.issuer, { ...client, ...first, codeVerifier: 'x'.repeat(43) })
    expect(stolen.status).to.equal(400)
    expect(await stolen.json())
      .to.include({ error: 'invalid_grant' })
      .and.not.have.property('access_token')

    const second = await authorize(signIn.issuer, { ...client, browser })
    expect((await redeemCode(signIn.issuer, { ...client, ...second })).status).to.equal(200)
    expect((await redeemCode(signIn.issuer, { ...client, ...second })).status).to.equal(400)
  })

  it('signs in silently while the browser has a session, and another user when it is asked to', async () => {
    const browser = openBrowser()
    const subjectOf = async (granted: { code: string; codeVerifier: string }) => {
      const { access_token } = await json(await redeemCode(signIn.issuer, { ...client, ...granted }))
      return (await verify(access_token!)).payload.sub
    }
    const silently = { ...client, browser, parameters: { prompt: 'none' } }
    expect(await authorize(signIn.issuer, silently)).to.include({ error: 'login_required' })
    await authorize(signIn.issuer, { ...client, browser, subject: 'olivia' })
    expect(await subjectOf(await authorize(signIn.issuer, silently))).to.equal('olivia')
    const asked = { ...client, browser, subject: 'victor', parameters: { prompt: 'login' } }
    expect(await subjectOf(await authorize(signIn.issuer, asked))).to.equal('victor')
  })

  it('signs out without confirmation and redirects to the dashboard, with and without a session', async () => {
    const browser = openBrowser()
    const granted = await authorize(signIn.issuer, { ...client, browser, subject: 'olivia' })
    const { id_token } = await json(await redeemCode(signIn.issuer, { ...client, ...granted }))
    const back = {
      id_token_hint: id_token!,
      post_logout_redirect_uri: `${dashboard}/dashboard/`,
      state: 's1',
    }
    const address = `${(await discover()).end_session_endpoint}?${new URLSearchParams(back)}`
    for (const response of [await browser.fetch(address), await browser.fetch(address)]) {
      expect(response.status).to.equal(303)
      expect(response.headers.get('location')).to.equal(`${dashboard}/dashboard/?state=s1`)
    }
    const silent = await authorize(signIn.issuer, { ...client, browser, parameters: { prompt: 'none' } })
    expect(silent.error).to.equal('login_required')
  })

  it('shows a message where it cannot redirect: for an unregistered or old address', async () => {
    const redirect_uri = 'https://evil.example/'
    const query = new URLSearchParams({ response_type: 'code', client_id: client.clientId, redirect_uri })
    const unregistered = await call(`${signIn.issuer}/auth?${query}`)
    expect(unregistered.status).to.equal(400)
    expect(unregistered.headers.get('location')).to.equal(null)
    expect(unregistered.body).to.contain('Sign-in failed')
    const old = await call(`${signIn.issuer}/sign-in/unknown`)
    expect(old.status).to.equal(400)
    expect(old.body).to.contain('This sign-in has expired')
  })

  it('keeps its keys across a restart, readable only by their owner', async () => {
    const keys = async (provider: SignIn) => await (await fetch(`${provider.issuer}/jwks`)).json()
    const again = await start()
    expect(await keys(again)).to.deep.equal(await keys(signIn))
    await again.close()
    expect((await stat(join(folder.path, 'sign-in-keys'))).mode & 0o777).to.equal(0o600)
  })

  it('fails with a one-line error if its port is taken', async () => {
    const port = Number(new URL(signIn.issuer).port)
    const error = await start({ port }).catch(caught => caught)
    expect(error).to.be.instanceOf(StartError)
    expect(error.message).to.match(/^The sign-in provider cannot listen on 127\.0\.0\.1:\d+: .+$/)
  })

  const openPage = async (parameters: Record<string, string> = {}) => {
    const browser = openBrowser()
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...parameters,
    })
    const redirect = await browser.fetch(`${signIn.issuer}/auth?${query}`)
    const address = new URL(redirect.headers.get('location') ?? '', signIn.issuer).href
    return { browser, address, redirect }
  }

  it('rejects the response mode form_post, so that no page ever contains a code', async () => {
    expect((await discover()).response_modes_supported).to.deep.equal(['query'])
    const { redirect, address } = await openPage({ response_mode: 'form_post' })
    expect(address).not.to.contain('/sign-in/')
    expect(await redirect.text())
      .to.contain('response_mode is not allowed')
      .and.not.contain('name="code"')
  })

  it('shows a page with every value escaped, which contains no script and cannot be framed', async () => {
    const { browser, address } = await openPage({ login_hint: '"><b>' })
    const response = await browser.fetch(address)
    const text = await response.text()
    expect(text).to.contain('Development sign-in').and.contain('Olivia &lt;Owner&gt;')
    expect(text).to.not.match(/<b>|<script|\son\w+=/)
    const policy = response.headers.get('content-security-policy')
    expect(policy).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'")
    for (const subject of [' ', 'a b', 'a'.repeat(256)]) {
      const body = new URLSearchParams({ subject })
      const rejected = await browser.fetch(address, { method: 'POST', body })
      expect(rejected.status, subject).to.equal(400)
      expect(await rejected.text()).to.contain('aria-invalid="true"')
    }
  })
})

async function json(response: Response): Promise<Record<string, string>> {
  return (await response.json()) as Record<string, string>
}
