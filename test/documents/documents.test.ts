import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { z } from 'zod'
import { errorDetails } from '#domain/error-details.ts'
import { toAgeClaims } from '#domain/signing-key/age-token.ts'
import { testOutcomes } from '#domain/simulated-session/test-outcome.ts'
import { validationReasons } from '#domain/token/validate-token.ts'
import { statusOf } from '#rest/errors.ts'
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

  it('describe every claim and every reason of a validation', () => {
    const id = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'
    const approved = {
      verificationId: id,
      tenantId: id,
      status: 'approved',
      confidence: 1,
      jti: id,
      over18: true,
      decidedAt: null,
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
})
