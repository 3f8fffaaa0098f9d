import { z } from 'zod'
import { awaitStatusChange } from '#domain/verification/await-status-change.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { abortOnDisconnect, tenantEndpoint } from '../endpoint.ts'
import { waitingIsBounded, waitParameter } from '../wait.ts'
import { presentStatus, verificationId, verificationStatus } from './verification-status.ts'

const wait = waitParameter(
  'How long to wait for a change, in whole seconds: long polling. The response comes as soon as the status is another one ' +
    'than at the request, or with the unchanged status at the end of the wait; it can come earlier. For a completed ' +
    `verification it comes at once. ${waitingIsBounded}`,
)

/** A query as clients send it. */
const plainQuery = /^verificationId=([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

export const status = tenantEndpoint({
  method: 'GET',
  path: '/verify/status',
  operationId: 'getVerificationStatus',
  tag: 'Verifications',
  summary: 'Retrieve the status of a verification',
  description:
    "Returns the current status of a verification, and its result once it's completed. The verification must " +
    'belong to the tenant of the API key. With `wait`, the response can wait for the next change of the status. Admit ' +
    'the person only if `over18` is `true`: `approved` does not mean 18 or over. Once the token is revoked, `over18` is ' +
    'null, `token` is absent, and `tokenRevokedAt` is present.',
  access: { scope: 'verifications:read', rateClass: 'read' },
  query: z.strictObject({ verificationId, wait }),
  response: {
    status: 200,
    description: 'The status.',
    schema: verificationStatus,
  },
  errors: ['VERIFICATION_NOT_FOUND'],
  nameVerification: ({ querystring }) => plainQuery.exec(querystring)?.[1],
  async handle({ scope, query, found, response }) {
    const { verificationId, wait } = query
    if (!wait) return presentStatus(await getVerificationStatus(scope, verificationId, found))
    const change = { verificationId, waitMs: wait * 1_000, signal: abortOnDisconnect(response) }
    return presentStatus(await awaitStatusChange(scope, change))
  },
})
