import { join } from 'node:path'
import { expect } from 'chai'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import type { SignInOptions } from '#development/sign-in/sign-in-options.ts'
import { type SignIn, startSignIn } from '#development/sign-in/start-sign-in.ts'
import { authorize, openBrowser, redeemCode, signInAs } from '../harness/sign-in-as.ts'
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

  it('shows a page with every value escaped, which contains no script and cannot be framed', async () => {
    const browser = openBrowser()
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      login_hint: '"><b>',
    })
    const redirect = await browser.fetch(`${signIn.issuer}/auth?${query}`)
    const address = new URL(redirect.headers.get('location') ?? '', signIn.issuer).href
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
