import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { type SignIn, type SignInOptions, startSignIn } from '#development/sign-in/start-sign-in.ts'
import { StartError } from '#server/start-error.ts'
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
      host: '127.0.0.1',
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

  it('issues an access token for the console to a chosen user, valid for an hour', async () => {
    const { payload, protectedHeader } = await verify(
      await signInAs(signIn.issuer, { ...client, subject: 'olivia' }),
    )
    expect(payload).to.include({ sub: 'olivia', aud: audience, iss: signIn.issuer })
    expect(payload.exp! - payload.iat!).to.equal(3_600)
    expect(protectedHeader.alg).to.equal('ES256')
  })

  it('accepts any subject that is entered', async () => {
    const { payload } = await verify(
      await signInAs(signIn.issuer, { ...client, subject: 'someone@example.com' }),
    )
    expect(payload.sub).to.equal('someone@example.com')
  })

  it('issues an ID token with the name and email of the user', async () => {
    const granted = await authorize(signIn.issuer, { ...client, browser: openBrowser(), subject: 'olivia' })
    const { id_token } = await json(await redeemCode(signIn.issuer, { ...client, ...granted }))
    expect(decodeJwt(id_token!)).to.include({
      sub: 'olivia',
      name: 'Olivia <Owner>',
      email: 'olivia@example.com',
    })
    expect(decodeJwt(id_token!).aud).to.equal(client.clientId)
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

  it('signs in silently while the browser has a session', async () => {
    const browser = openBrowser()
    const parameters = { prompt: 'none' }
    expect(await authorize(signIn.issuer, { ...client, browser, parameters })).to.include({
      error: 'login_required',
    })
    await authorize(signIn.issuer, { ...client, browser, subject: 'olivia' })
    const silent = await authorize(signIn.issuer, { ...client, browser, parameters })
    const { access_token } = await json(await redeemCode(signIn.issuer, { ...client, ...silent }))
    expect((await verify(access_token!)).payload.sub).to.equal('olivia')
  })

  it('signs in another user when the dashboard asks for a sign-in', async () => {
    const browser = openBrowser()
    await authorize(signIn.issuer, { ...client, browser, subject: 'olivia' })
    const parameters = { prompt: 'login' }
    const changed = await authorize(signIn.issuer, { ...client, browser, subject: 'victor', parameters })
    const { access_token } = await json(await redeemCode(signIn.issuer, { ...client, ...changed }))
    expect((await verify(access_token!)).payload.sub).to.equal('victor')
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

  it('shows a message after sign-out without a redirect URI', async () => {
    const response = await fetch((await discover()).end_session_endpoint!)
    expect(response.status).to.equal(200)
    expect(await response.text()).to.contain('You are signed out')
  })

  it('never redirects to an unregistered URI', async () => {
    const elsewhere = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: 'https://evil.example/',
    }
    const response = await fetch(`${signIn.issuer}/auth?${new URLSearchParams(elsewhere)}`, {
      redirect: 'manual',
    })
    expect(response.status).to.equal(400)
    expect(response.headers.get('location')).to.equal(null)
    expect(await response.text()).to.contain('Sign-in failed')
  })

  it('allows cross-origin requests only from the dashboard', async () => {
    const allowed = async (origin: string) => {
      const response = await fetch(`${signIn.issuer}/token`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({
          client_id: client.clientId,
          grant_type: 'authorization_code',
          code: 'x',
        }),
      })
      return response.headers.get('access-control-allow-origin')
    }
    expect(await allowed(dashboard)).to.equal(dashboard)
    expect(await allowed('https://evil.example')).to.equal(null)
  })

  it('keeps its keys across a restart, readable only by their owner', async () => {
    const keys = async (provider: SignIn) => await (await fetch(`${provider.issuer}/jwks`)).json()
    const again = await start()
    expect(await keys(again)).to.deep.equal(await keys(signIn))
    await again.close()
    expect((await stat(join(folder.path, 'sign-in-keys'))).mode & 0o777).to.equal(0o600)
  })

  it('prints nothing, and fails with a one-line error if its port is taken', async () => {
    const printed: unknown[] = []
    const { info, warn } = console
    console.info = console.warn = (...parts) => printed.push(parts)
    try {
      const port = Number(new URL(signIn.issuer).port)
      const error = await start({ port }).catch(caught => caught)
      expect(error).to.be.instanceOf(StartError)
      expect(error.message).to.match(/^The sign-in provider cannot listen on 127\.0\.0\.1:\d+: .+$/)
      const other = await start()
      await signInAs(other.issuer, { ...client, subject: 'olivia' })
      await other.close()
    } finally {
      Object.assign(console, { info, warn })
    }
    expect(printed).to.deep.equal([])
  })

  describe('its sign-in page', () => {
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
      const address = new URL(redirect.headers.get('location')!, signIn.issuer).href
      return { browser, address, response: await browser.fetch(address) }
    }

    it('shows a development badge and the users, with their names escaped', async () => {
      const { response } = await openPage({ login_hint: '"><b>' })
      const text = await response.text()
      expect(text)
        .to.contain('Development sign-in')
        .and.contain('Olivia &lt;Owner&gt;')
        .and.not.contain('<b>')
    })

    it('contains no script and cannot be framed', async () => {
      const { response } = await openPage()
      expect(response.headers.get('content-security-policy'))
        .to.contain("default-src 'none'")
        .and.contain("frame-ancestors 'none'")
      expect(await response.text()).not.to.match(/<script|\son\w+=/)
    })

    for (const [name, subject] of [
      ['an empty subject', ' '],
      ['a subject with spaces', 'a b'],
      ['a subject that is too long', 'a'.repeat(256)],
      ['a subject with a line break', 'a\nb'],
    ] as const) {
      it(`rejects ${name}, with an error at the field`, async () => {
        const { browser, address } = await openPage()
        const response = await browser.fetch(address, {
          method: 'POST',
          body: new URLSearchParams({ subject }),
        })
        expect(response.status).to.equal(400)
        expect(await response.text())
          .to.contain('aria-invalid="true"')
          .and.contain('id="subject-error"')
      })
    }

    it('shows a message if the sign-in has expired', async () => {
      const response = await fetch(`${signIn.issuer}/sign-in/unknown`)
      expect(response.status).to.equal(400)
      expect(await response.text()).to.contain('This sign-in has expired')
    })
  })
})

async function json(response: Response): Promise<Record<string, string>> {
  return (await response.json()) as Record<string, string>
}
