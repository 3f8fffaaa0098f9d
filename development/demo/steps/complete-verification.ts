import { z } from 'zod'
import { expect } from '../demo-assertion-error.ts'
import { exchange, parseAs, send } from '../http.ts'
import type { DemoContext } from '../open-service.ts'
import type { DemoTenant } from './create-tenant.ts'

const startResponse = z.object({
  verificationId: z.uuid(),
  status: z.literal('started'),
  provider: z.string(),
  sessionUrl: z.url(),
  config: z.object({ pollingIntervalMs: z.int(), tokenType: z.literal('jwt') }),
})

/** The tenant's backend starts a verification for a user. */
export async function startVerification(
  { service, screen }: DemoContext,
  tenant: DemoTenant,
): Promise<{ verificationId: string; sessionUrl: string }> {
  screen.step(
    'The tenant’s backend starts a verification',
    'It sends the user agent and IP address of its user, and then redirects the user to sessionUrl.',
  )
  const response = await exchange(screen, 201, 'POST', `${service.addresses.baseUrl}/verify/start`, {
    headers: { 'x-tenant-api-key': tenant.apiKey, 'content-type': 'application/json' },
    json: { userAgent: 'Mozilla/5.0 (demo)', ip: '203.0.113.7' },
  })
  const { verificationId, sessionUrl } = parseAs(startResponse, response.json, 'POST /verify/start')
  screen.passed('The verification is started and has a sessionUrl.')
  return { verificationId, sessionUrl }
}

/** The user opens the hosted page, submits, and is approved as an adult. */
export async function completeOnHostedPage(
  context: DemoContext,
  tenant: DemoTenant,
  { verificationId, sessionUrl }: { verificationId: string; sessionUrl: string },
): Promise<void> {
  const { screen } = context
  screen.step(
    'The user completes the check on the hosted page',
    'A local simulator implements the identity provider’s protocol. It reports every step to\nthe service in a signed callback before the page responds.',
  )
  const expectStatus = async (expected: string) => {
    const status = await currentStatus(context, tenant, verificationId)
    expect(status === expected, `The verification’s status is ${status}, expected ${expected}.`)
    screen.passed(`GET /verify/status returns the status ${expected}.`)
  }
  await expectStatus('pending')

  const page = await exchange(screen, 200, 'GET', sessionUrl)
  screen.note(`  page title: “${headingOf(page.text)}”`)
  await expectStatus('started')

  await exchange(screen, 303, 'POST', `${sessionUrl}/submit`)
  await expectStatus('submitted')

  await exchange(screen, 303, 'POST', `${sessionUrl}/decide`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    form: { outcome: 'approve-adult' },
  })
  await expectStatus('approved')
}

/** The tenant's backend reads the result. Returns the age token. */
export async function readStatus(
  { service, screen }: DemoContext,
  tenant: DemoTenant,
  verificationId: string,
): Promise<string> {
  screen.step('The tenant’s backend reads the result', 'By polling, for backends without a webhook.')
  const approved = z.object({
    verificationId: z.literal(verificationId),
    status: z.literal('approved'),
    confidence: z.number().min(0).max(1),
    createdAt: z.iso.datetime({ precision: 3 }),
    completedAt: z.iso.datetime({ precision: 3 }),
    token: z.jwt(),
  })
  const url = `${service.addresses.baseUrl}/verify/status?verificationId=${verificationId}`
  const headers = { 'x-tenant-api-key': tenant.apiKey }
  const response = await exchange(screen, 200, 'GET', url, { headers })
  const { token } = parseAs(approved, response.json, 'GET /verify/status')
  screen.passed('The verification is approved, with a signed age token.')
  return token
}

/** The verification's status, without printing the request. */
async function currentStatus({ service }: DemoContext, tenant: DemoTenant, verificationId: string) {
  const url = `${service.addresses.baseUrl}/verify/status?verificationId=${verificationId}`
  const response = await send('GET', url, { headers: { 'x-tenant-api-key': tenant.apiKey } })
  return parseAs(z.object({ status: z.string() }), response.json, 'GET /verify/status').status
}

function headingOf(html: string): string {
  return html.match(/<h1[^>]*>([^<]*)</)?.[1] ?? ''
}
