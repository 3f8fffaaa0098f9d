import { apiKeyScopes } from '#domain/permissions.ts'
import type { DocumentedEndpoint } from '#rest/endpoint.ts'

/** The description of the whole API, in Markdown. */
export const introduction = `Verify that a person is 18 or over, without storing their documents. All request and response bodies are JSON.

1. Your backend calls \`POST /verify/start\` and redirects the end user to \`sessionUrl\`, where the identity provider checks their documents.
2. You learn the result from the webhook \`verification.completed\`, or from \`GET /verify/status\`.
3. You validate the signed age token at any time, with \`POST /tokens/validate\` or offline with the public keys.

## Authentication

Send an API key of your tenant in the header \`x-tenant-api-key\` with each request. Only the public keys and the status lists need none.

## Approved does not mean 18 or over

\`approved\` says that the identity check passed, also that of a minor. Admit a person only if \`over18\` of the status is \`true\`, or if \`POST /tokens/validate\` returns \`valid: true\`.

## Errors

Every error is one flat object. \`error\` is a stable code for your program; \`message\` is for people, and its wording can change; some codes have \`details\`. \`requestId\` is also in the header \`x-request-id\`. Retry after 429 and 5xx, and wait as long as \`Retry-After\` says, except after \`QUOTA_EXCEEDED\` and \`HARD_LIMIT_EXCEEDED\`: those last until the end of the month. Don't retry after any other 4xx. A path or method that this document doesn't have gets 404 \`ROUTE_NOT_FOUND\`. What is not well-formed HTTP gets 400 \`INVALID_PARAMETERS\` on every path: a missing, repeated or malformed \`Host\`, a method that HTTP doesn't know, headers that are too large, or a request that is not sent in time.

## Versioning

The version is v1; paths have no prefix. Fields, parameters, codes and operations may be added within it, so ignore what you don't know. Incompatible changes come only with a new version.`

/** How a tenant authenticates. */
export function authentication(endpoints: readonly DocumentedEndpoint[]): string {
  const lines = apiKeyScopes.map(scope => {
    const allowed = endpoints.filter(
      endpoint => endpoint.kind === 'tenant' && endpoint.access.scope === scope,
    )
    return `- \`${scope}\`: ${allowed.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}`
  })
  return `An API key of your tenant, from the dashboard. It starts with \`avk_\`, or \`avk_test_\` for a test tenant, is shown only once, can expire, and can be revoked; a revocation takes effect immediately. Use it from your backend only. \`Authorization: Bearer\` and \`X-API-Key\` are not accepted.

A key has one or more scopes:

${lines.join('\n')}`
}
