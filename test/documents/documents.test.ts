import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { z } from 'zod'
import { keysPerDayMax, liveKeysMax } from '#domain/api-key/api-key.policy.ts'
import { errorCatalogue } from '#domain/error-codes.ts'
import { errorDetails } from '#domain/error-details.ts'
import { invitationsPerDayMax, openInvitationsMax } from '#domain/member/invitation.policy.ts'
import { toAgeClaims } from '#domain/signing-key/age-token.ts'
import { testOutcomes } from '#domain/simulated-session/test-outcome.ts'
import { defaultPlan } from '#domain/tenant/ensure-default-plan.ts'
import { validationReasons } from '#domain/token/validate-token.ts'
import { completedStatuses } from '#domain/verification/verification.policy.ts'
import { verificationStatuses } from '#domain/verification-status.ts'
import { attemptsMax } from '#domain/webhook/delivery.policy.ts'
import { eventHeaders } from '#domain/webhook/signature.policy.ts'
import { type ErrorEnvelope, statusOf } from '#rest/errors.ts'
import { readConfig } from '#server/configuration/config.ts'
import { readGroups } from '#server/pages/docs/documents.ts'

const document = (name: string) => readFileSync(`docs/${name}.md`, 'utf8')

/** The code in the first cells of a document's tables. */
const firstCells = (text: string) =>
  [...text.matchAll(/^\| ((?:`[^`|]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!),
  )

const errorSections = document('errors')
  .split(/^### /m)
  .slice(1)
  .map(section => section.split(/^## /m)[0]!)

/** The values of an enumeration or of a literal. */
function readValues(field: z.ZodType): unknown[] {
  const { enum: values, const: value } = z.toJSONSchema(field)
  return values ?? [value]
}

describe('The documents', () => {
  it('are all in the navigation', () => {
    const listed = readGroups().flatMap(({ documents }) => documents.map(({ file }) => file))
    expect(new Set(listed).size).to.equal(listed.length)
    expect(listed).to.include.members([
      ...globSync('docs/*.md'),
      ...globSync('clients/*/README.md'),
      'CHANGELOG.md',
    ])
  })

  it('of the packages link to nothing outside of them, and name pages of the service', () => {
    const pages = readGroups().flatMap(({ documents }) => documents.map(({ name }) => `/docs/${name}`))
    for (const name of ['typescript', 'python']) {
      const readme = document(`../clients/${name}/README`)
      expect(readme, name).to.not.match(/\]\((?!https?:|#)/)
      const named = [...readme.matchAll(/`(\/docs\/[^`#]+)[^`]*`/g)].map(([, page]) => page!)
      expect(named.length).to.be.greaterThan(2)
      expect(pages, name).to.include.members(named)
    }
  })

  it('describe every error code, with its status, a cause and a remedy, and no other code', () => {
    const described = errorSections.map(section => {
      const [, code, status] = /^([A-Z_]+)\n\n\*\*(\d{3})\.\*\* \S.*\n\n\*Remedy:\* \S/s.exec(section) ?? []
      return [code, Number(status)]
    })
    expect(described.toSorted()).to.deep.equal(Object.entries(statusOf).toSorted())
  })

  it('name every field of the details of every error code, and every reason', () => {
    for (const [code, { shape }] of Object.entries(errorDetails)) {
      const section = errorSections.find(text => text.startsWith(`${code}\n`))
      for (const [name, field] of Object.entries(shape)) {
        expect(section, `${code}: ${name}`).to.match(new RegExp(`[\`.]${name}\\b`))
        for (const reason of name === 'reason' ? readValues(field) : []) expect(section).to.contain(reason)
      }
    }
  })

  it('show an error as it is sent', () => {
    const [, example = ''] = /```json\n(.*?)```/s.exec(document('errors')) ?? []
    const envelope: ErrorEnvelope = JSON.parse(example)
    expect(Object.keys(envelope)).to.deep.equal(['error', 'message', 'details', 'requestId'])
    expect(Object.keys(errorCatalogue)).to.include(envelope.error)
  })

  it('name the limits of the default plan, of keys and of invitations', () => {
    const limits = document('limits')
    const { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit } = defaultPlan
    const count = (value: number) => value.toLocaleString('en')
    expect(limits).to.contain(`${count(rateLimitPerMinute)} requests per minute and key`)
    expect(limits).to.contain(`${count(readRateLimitPerMinute)} requests per minute and key`)
    expect(limits).to.contain(`${count(monthlyQuota)} per UTC month`)
    expect(limits).to.contain(`never more than ${count(hardLimit)}`)
    expect(limits).to.contain(`| ${liveKeysMax} that are neither revoked nor expired`)
    expect(limits).to.contain(`; ${count(keysPerDayMax)} created within 24 hours |`)
    expect(limits).to.contain(
      `| ${openInvitationsMax} that can be accepted, per tenant; ${invitationsPerDayMax} created within 24 hours |`,
    )
    expect(limits).to.contain(`5 seconds to respond, ${attemptsMax} attempts`)
  })

  it('say of every status what it means, and whether it is final', () => {
    const rows = [...document('life-cycle').matchAll(/^\| `(\w+)` \| [^|]+ \| (yes|no)[^|]*\| [^|]+ \|$/gm)]
    expect(rows.map(([, status]) => status)).to.have.members([...verificationStatuses])
    for (const [row, status] of rows) {
      const completes = completedStatuses.includes(status as (typeof verificationStatuses)[number])
      expect(/\| (yes|no, except after 8 days) \|/.test(row), status).to.equal(completes)
    }
  })

  it('describe every claim and every reason of a validation', () => {
    const id = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
    const approved = {
      verificationId: id,
      tenantId: id,
      status: 'approved',
      confidence: 1,
      jti: id,
      over18: true,
      issuer: 'https://verify.example',
      lifetimeSeconds: 1,
      signer: 1,
      statusIndex: 1,
    } as const
    const claims = toAgeClaims({ ...approved, issuedAt: new Date() })
    expect(firstCells(document('tokens'))).to.include.members([...Object.keys(claims), ...validationReasons])
  })

  it('describe every outcome that a test can choose', () => {
    for (const outcome of testOutcomes)
      expect(document('testing')).to.match(new RegExp(`^\\|.*\`${outcome}\``, 'm'))
  })

  it('show the headers of an event as they are sent', () => {
    for (const [name, value] of Object.entries(eventHeaders('verification.completed', '', 'a secret'))) {
      const shown = name === 'X-Webhook-Signature' ? `${name}: ` : `${name}: ${value}\n`
      expect(document('webhooks')).to.contain(shown)
    }
  })

  it('say on the page about privacy how long data is kept unless the operator chose otherwise', () => {
    const { verificationRetentionMs, auditRetentionMs, tokenLifetimeMs } = readConfig({})
    const days = (milliseconds: number) => milliseconds / 86_400_000
    const privacy = document('privacy')
    expect(privacy).to.contain(`| ${days(verificationRetentionMs)} days after the start |`)
    expect(privacy).to.contain(`with the IP address, for ${days(auditRetentionMs)} days`)
    expect(privacy).to.match(new RegExp(`they expire after ${days(tokenLifetimeMs)}\\sdays`))
  })
})
