import { expect } from 'chai'
import type { DomainError } from '#domain/errors.ts'
import { validateToken } from '#domain/token/validate-token.ts'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { issueToken } from '../token/issue-token.ts'
import { useFixture } from './fixture.ts'
import { startOne } from './start-one.ts'

describe('Look-ups of verifications in the same turn', () => {
  const fixture = useFixture()
  let mine: string
  let other: string
  before(async () => {
    mine = await fixture.addTenant()
    other = await fixture.addTenant()
  })

  it('return each verification to its own tenant only, of any month', async () => {
    fixture.clock.set(new Date('2026-10-31T12:00:00.000Z'))
    const old = await startOne(fixture, mine)
    fixture.clock.set(new Date('2026-11-20T12:00:00.000Z'))
    const [young, foreign] = [await startOne(fixture, mine), await startOne(fixture, other)]
    const asked = [
      [mine, young.verificationId],
      [mine, foreign.verificationId],
      [other, foreign.verificationId],
      [mine, old.verificationId.toUpperCase()],
      [other, old.verificationId],
      [mine, young.verificationId],
    ] as const
    const outcomes = await Promise.allSettled(
      asked.map(([tenantId, id]) => getVerificationStatus(fixture.tenant(tenantId), id)),
    )
    const seen = outcomes.map(outcome =>
      outcome.status === 'fulfilled' ? outcome.value.verificationId : (outcome.reason as DomainError).code,
    )
    expect(seen).to.deep.equal([
      young.verificationId,
      'VERIFICATION_NOT_FOUND',
      foreign.verificationId,
      old.verificationId,
      'VERIFICATION_NOT_FOUND',
      young.verificationId,
    ])
  })

  it('validate each token for its own tenant only', async () => {
    const { token } = await issueToken(fixture, mine, true)
    const { token: minor } = await issueToken(fixture, mine, false)
    const { token: foreign } = await issueToken(fixture, other, true)
    const validations = await Promise.all(
      [token, minor, foreign, token].map(each => validateToken(fixture.tenant(mine), each)),
    )
    expect(validations.map(({ reason }) => reason)).to.deep.equal([
      'OK',
      'UNDERAGE_OR_UNKNOWN',
      'TOKEN_NOT_FOUND',
      'OK',
    ])
  })
})
