import { findMemberNames } from '../member/find-member-names.ts'
import type { TenantScope } from '../scope.ts'
import type { ApiKey } from './api-key.entity.ts'

/** Who created a key. */
export type KeyCreator =
  | { kind: 'operator' }
  | {
      kind: 'member'
      issuer: string
      subject: string
      /** The name or e-mail address; null if neither is known, and once they have left. */
      name: string | null
      /** False for a user who has left the tenant, or was removed. */
      isMember: boolean
    }

/** Returns who created each of these keys of the tenant; null where that was not recorded. */
export async function findKeyCreators(
  { em, actor: { tenantId } }: TenantScope,
  keys: readonly ApiKey[],
): Promise<(key: ApiKey) => KeyCreator | null> {
  const nameOf = await findMemberNames(em, tenantId, keys.filter(isOfMember).map(toUser))
  return key => {
    if (key.createdByKind === 'operator') return { kind: 'operator' }
    if (!isOfMember(key)) return null
    const name = nameOf(toUser(key))
    return { kind: 'member', ...toUser(key), name: name ?? null, isMember: name !== undefined }
  }
}

function isOfMember({ createdByKind }: ApiKey): boolean {
  return createdByKind === 'member'
}

function toUser({ createdByIssuer, createdBySubject }: ApiKey) {
  return { issuer: createdByIssuer ?? '', subject: createdBySubject ?? '' }
}
