import { expect } from 'chai'
import { generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { withoutEmptyFields } from '../../dashboard/src/sign-in/token-response.ts'

const metadata = { issuer: 'https://issuer.example', id_token_signing_alg_values_supported: ['ES256'] }
const client = { client_id: 'dashboard' }

describe('A token response', () => {
  let complete: Record<string, unknown>
  before(async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const id_token = await new SignJWT({ nonce: 'n' })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(metadata.issuer)
      .setAudience('dashboard')
      .setSubject('ann')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    complete = { access_token: 'a', token_type: 'Bearer', expires_in: 300, refresh_token: 'r', id_token }
  })

  const expected = { expectedNonce: 'n', requireIdToken: true }
  const answer = (body: unknown, status = 200) =>
    withoutEmptyFields(Response.json(body, { status, headers: { 'cache-control': 'no-store' } }))
  const redeem = async (body: unknown, status?: number) =>
    await oauth.processAuthorizationCodeResponse(metadata, client, await answer(body, status), expected)
  const refresh = async (body: unknown) =>
    await oauth.processRefreshTokenResponse(metadata, client, await answer(body))

  for (const value of [null, '', undefined]) {
    for (const field of ['refresh_token', 'expires_in', 'scope', 'error_description', 'session_state']) {
      it(`can have ${JSON.stringify(value)} as ${field}, which counts as absent`, async () => {
        for (const found of [
          await redeem({ ...complete, [field]: value }),
          await refresh({ ...complete, [field]: value }),
        ]) {
          expect(found).to.include({ access_token: 'a', token_type: 'bearer' })
          expect(found[field]).to.equal(undefined)
        }
      })
    }

    it(`can have ${JSON.stringify(value)} as id_token if it is refreshed, and not otherwise`, async () => {
      expect((await refresh({ ...complete, id_token: value })).id_token).to.equal(undefined)
      expect(await failureOf(redeem({ ...complete, id_token: value }))).to.be.instanceOf(
        oauth.OperationProcessingError,
      )
    })

    it(`must have an access token and its type, not ${JSON.stringify(value)}`, async () => {
      for (const field of ['access_token', 'token_type']) {
        const failure = await failureOf(redeem({ ...complete, [field]: value }))
        expect(failure, field).to.be.instanceOf(oauth.OperationProcessingError)
      }
    })
  }

  it('can spell the type of its token in any case, and its lifetime as text', async () => {
    for (const token_type of ['bearer', 'Bearer', 'BEARER']) {
      expect((await redeem({ ...complete, token_type, expires_in: '3600' })).expires_in).to.equal(3600)
    }
  })

  it('of an error keeps its code and status', async () => {
    const error = await failureOf(
      redeem({ error: 'invalid_grant', error_description: null, error_uri: '' }, 400),
    )
    expect(error).to.be.instanceOf(oauth.ResponseBodyError)
    expect(error).to.include({ error: 'invalid_grant', status: 400 })
  })

  it('that is no object of JSON stays as it is', async () => {
    for (const text of ['<html>', '', 'null', '[]', '"a"', '{"access_token":']) {
      const kept = await withoutEmptyFields(new Response(text, { status: 502, headers: { 'x-a': 'b' } }))
      expect([kept.status, kept.headers.get('x-a'), await kept.text()]).to.deep.equal([502, 'b', text])
    }
    expect((await withoutEmptyFields(new Response(null, { status: 204 }))).status).to.equal(204)
  })
})

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  )
}
