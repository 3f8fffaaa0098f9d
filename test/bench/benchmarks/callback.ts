import { createHmac, sign } from 'node:crypto'
import { newId } from '#domain/ids.ts'
import { noAttributes } from '#domain/provider-result.ts'
import { loadVerification } from '#domain/verification/load-verification.ts'
import { type Transition, writeTransition } from '#domain/verification/write-transition.ts'
import { signature } from '#server/providers/veriff/signature.ts'
import { decisionOn } from '../../harness/provider-callback.ts'
import { addVerifications } from '../fixture/add-verifications.ts'
import { fill, sentStatement, verificationPlaceholder } from '../floor/sent-statement.ts'
import type { RequestScenario } from './request-scenario.ts'

const tokenLifetimeSeconds = 30 * 24 * 60 * 60

export const callback: RequestScenario = {
  name: 'callback',
  description:
    'POST /verify/callback with an approval: completes the verification, signs its token, queues its delivery.',
  floorDescription: 'HMAC over the body, the same SELECT, ES256 with node:crypto, the same write, JSON.',
  status: 200,
  single: true,
  async requests(fixture, count) {
    const { apiKey, sharedSecret } = fixture.veriff
    const verifications = await addVerifications(fixture, count)
    return verifications.map(({ id, providerSessionId }) => {
      const body = JSON.stringify(decisionOn({ sessionId: providerSessionId, vendorData: id }, 'approved'))
      return {
        method: 'POST',
        path: '/verify/callback',
        headers: {
          'content-type': 'application/json',
          'x-auth-client': apiKey,
          'x-hmac-signature': signature(body, sharedSecret),
        },
        body,
      }
    })
  },
  async floor({ pool, veriff, signer }) {
    const load = await sentStatement(scope =>
      loadVerification(scope, {
        providerSessionId: 'providerSessionId',
        verificationId: verificationPlaceholder,
        test: false,
      }),
    )
    const complete = await sentStatement(scope => writeTransition(scope, namedTransition))
    return async ({ headers, body }) => {
      const signed = createHmac('sha256', veriff.sharedSecret).update(body).digest('hex')
      if (signed !== headers['x-hmac-signature']) throw new Error('invalid signature')
      const { verification } = JSON.parse(body.toString())
      const verificationId: string = verification.vendorData
      const { rows } = await pool.query(
        fill(load, { providerSessionId: verification.id, [verificationPlaceholder]: verificationId }),
      )
      const { tenantId, kid } = rows[0]
      const now = new Date()
      const jti = newId(now)
      const content = tokenContent(kid, { over18: true, sub: verificationId, aud: tenantId, jti }, now)
      const key = { key: signer, dsaEncoding: 'ieee-p1363' as const }
      const signature = sign('sha256', Buffer.from(content), key)
      const values = { tenantId, [verificationPlaceholder]: verificationId, jti, signature }
      const { rows: written } = await pool.query(fill(complete, values))
      if (written.length === 0) throw new Error('the verification was not completed')
      return { received: true }
    }
  },
}

const at = new Date()

const state = {
  status: 'approved' as const,
  attemptId: null,
  pastAttemptIds: [],
  decidedAt: at,
  completedAt: at,
  confidence: 1,
  ...noAttributes,
  over18: true,
}

/** A completion in which placeholders mark the values that differ from one to the next; `fill` replaces them. */
const namedTransition: Transition = {
  verification: {
    ...state,
    // A valid id: how long the verification took is read from it.
    verificationId: verificationPlaceholder,
    tenantId: 'tenantId',
    test: false,
    provider: 'veriff',
    providerSessionId: 'providerSessionId',
    revision: 0,
    kid: 'kid',
    retentionDays: null,
  },
  trigger: {
    by: 'provider',
    result: {
      providerSessionId: '',
      vendorData: '',
      attemptId: null,
      outcome: 'approved',
      code: 9001,
      reasonCode: null,
      score: null,
      decidedAt: at,
      ...noAttributes,
      over18: true,
    },
  },
  state,
  token: { jti: 'jti', signer: 1, statusIndex: 0, signature: 'signature' as never },
}

function tokenContent(kid: string, claims: Record<string, unknown>, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000)
  const times = { iat, exp: iat + tokenLifetimeSeconds }
  return `${encode({ alg: 'ES256', kid, typ: 'JWT' })}.${encode({ ...claims, ...times })}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
