import { expect } from '../demo-assertion-error.ts'
import type { Fixture } from '../demo-context.ts'
import { exchange } from '../http.ts'
import { askStatus } from './ask-status.ts'
import type { DemoTenant } from './make-tenant.ts'

/** The user goes through the hosted page: opens it, submits, and is decided to be an adult. */
export async function playPerson(
  fixture: Fixture,
  tenant: DemoTenant,
  { verificationId, sessionUrl }: { verificationId: string; sessionUrl: string },
): Promise<void> {
  const { screen } = fixture
  screen.part(
    'The user completes the check on the hosted page',
    'A local stand-in speaks the provider’s protocol here. Every step is reported to\nthe service by a signed callback before the page answers.',
  )
  const nowIs = async (expected: string) => {
    const { status } = await askStatus(fixture, tenant, verificationId)
    expect(status === expected, `The verification is ${status} where ${expected} was expected.`)
    screen.right(`GET /verify/status now says: ${expected}`)
  }
  await nowIs('pending')

  const page = await exchange(screen, 200, 'GET', sessionUrl)
  screen.note(`  the page says “${headingOf(page.text)}”`)
  await nowIs('started')

  await exchange(screen, 303, 'POST', `${sessionUrl}/submit`)
  await nowIs('submitted')

  await exchange(screen, 303, 'POST', `${sessionUrl}/decide`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    form: { outcome: 'approve-adult' },
  })
  await nowIs('approved')
}

function headingOf(html: string): string {
  return html.match(/<h1[^>]*>([^<]*)</)?.[1] ?? ''
}
