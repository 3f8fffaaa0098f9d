import { readFileSync } from 'node:fs'
import { EntitySchema } from '@mikro-orm/core'
import { expect } from 'chai'
import { buildStatement } from '#domain/practice-statement/build-statement.ts'
import { describeTime } from '#domain/practice-statement/describe-time.ts'
import { entities } from '#domain/schema/entities.ts'
import { readConfig } from '#server/configuration/config.ts'
import { readRules } from '#server/configuration/rules.ts'

/** What is stored of a person, by table: the words of DATA.md's row and of docs/privacy.md, and the attributes. */
const described: Record<string, Record<string, string>> = {
  verification: {
    status: 'status',
    score: 'confidence',
    'whether the person is 18 or over': 'over18',
    'session and attempt ids': 'providerSessionId attemptId pastAttemptIds',
    timeline: 'timeline completedAt decidedAt',
    'age token': 'tokenId tokenSignature tokenStatusIndex tokenRevokedAt',
  },
  verification_outcome: { status: 'status' },
  open_verification: { status: 'status' },
  idempotency_key: { 'session URL': 'encryptedSessionUrl' },
  delivery: { status: 'status', score: 'confidence' },
  session_deletion: {
    'session id': 'providerSessionId',
    'when it was queued and asked for': 'queuedAt askedAt',
    'why the provider kept it': 'rejection',
  },
  member: {
    'issuer and subject': 'issuer subject',
    role: 'role',
    'last seen': 'lastSeenAt',
    'name and e-mail address': 'name email',
  },
  invitation: {
    role: 'role',
    note: 'note',
    'who invited': 'inviterIssuer inviterSubject',
    'who accepted': 'acceptedByIssuer acceptedBySubject',
  },
  api_key: {
    name: 'name',
    'who created it': 'createdByKind createdByIssuer createdBySubject',
    'last use': 'lastUsedAt',
    sha: 'hash displayStart',
    scopes: 'scopes',
  },
  audit_event: {
    'who did what': 'actorKind actorIssuer actorSubject actorName action target changes',
    'IP address': 'actorIp',
  },
}

/** Ids, times and states of the rows themselves, of the work on them, and of what belongs to nobody. */
const technical = new Set(
  (
    'id tenantId verificationId test provider revision hasWebhook tokenSigner createdAt at addedAt acceptedAt expiresAt ' +
    'change revokedAt closesAt closeAttempts pollAt pollAttempts keyDigest requestDigest lockedUntil month dueAt attemptedAt ' +
    'attempts state type failure codeHash'
  ).split(' '),
)

const plain = (text: string) => text.replace(/\s+/g, ' ').toLowerCase()
const [, person, members] = readFileSync('DATA.md', 'utf8').split(/^## /m)
const rows = new Map(
  [...`${person}${members}`.matchAll(/^\| `(\w+)` \| (.*)$/gm)].map(([, table, row]) => [
    table!,
    plain(row!),
  ]),
)
/** What the operator did to the service is of no tenant. */
rows.delete('service_audit_event')

const stored = entities
  .map(entity => EntitySchema.REGISTRY.get(entity)!.meta)
  .map(({ tableName, properties }) => ({ table: tableName, attributes: Object.keys(properties) }))
  .filter(({ table }) => rows.has(table))

describe('What is stored of persons', () => {
  it('is described attribute by attribute', () => {
    expect(stored).to.have.length(rows.size)
    for (const { table, attributes } of stored) {
      const named = Object.values(described[table] ?? {}).flatMap(names => names.split(' '))
      const missing = attributes.filter(name => !technical.has(name) && !named.includes(name))
      const remedy = `describe it in the row of ${table} in DATA.md and in docs/privacy.md, and name the words here`
      expect(missing, `attributes of ${table} that no document describes: ${remedy}`).to.deep.equal([])
    }
  })

  it('is in the practice statement, each table with the time after which its rows are deleted', () => {
    const rules = readRules(readConfig({}), { memberIssuer: '', hasProvider: true })
    const { facts } = buildStatement(rules).sections.privacy!
    expect(Object.keys(facts)).to.include.members([...rows.keys()])
    for (const [table, row] of rows) {
      const { seconds } = facts[table]!
      const time = describeTime(1000 * (seconds ?? 0))
      const kept = row.split(' | ').at(-2)!.replace('a minute', '1 minute')
      const same = [time, `(${time.split(' ')[0]})`, 'like `verification`'].some(words =>
        kept.includes(words),
      )
      expect(same, `${table}: ${kept}`).to.equal(seconds !== undefined)
    }
  })
})
