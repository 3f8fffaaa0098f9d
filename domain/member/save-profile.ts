import { lockUser } from '../database/advisory-locks.ts'
import { transaction } from '../database/transaction.ts'
import type { UserScope } from '../scope.ts'
import { Member } from './member.entity.ts'
import { type Profile, readProfile } from './profile.policy.ts'

/** Stores the user's name and e-mail address in all of their memberships. Returns what was stored. */
export async function saveProfile(
  scope: UserScope,
  claims: { name: string | undefined; email: string | undefined },
): Promise<Profile> {
  const { issuer, subject } = scope.actor
  const profile = readProfile(claims)
  await transaction(scope, async em => {
    await lockUser(em, { issuer, subject })
    await em.nativeUpdate(Member, { issuer, subject }, profile)
  })
  return profile
}
