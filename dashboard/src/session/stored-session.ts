import { parse } from '../components/foreign-response.ts'
import { store } from '../components/store.ts'
import type { Session } from './session-context.ts'

/** What of the session is kept in this browser, so that the next page begins with it instead of waiting for it. */
type StoredSession = Pick<Session, 'memberships' | 'provisioning' | 'testTenants' | 'standing'>

type Stored = StoredSession & { subject: string; version: string }

const sessionKey = 'age-verification.session'
/** The URL of the chunk: another build may keep another form. */
const version = import.meta.url

/**
 * The session that the last page of this user ended with, where it was in the tenant of the URL. Only the service can say
 * whether a user belongs to any other, and which warnings are above its pages: they must not move what is below them.
 */
export function readStoredSession(subject: string, tenantInUrl: string | undefined): StoredSession | undefined {
  const stored = parse(localStorage.getItem(sessionKey) ?? '') as Stored | null | undefined
  if (stored?.version !== version || stored.subject !== subject) return undefined
  const { standing, memberships } = stored
  const isSelected = ({ tenantId }: { tenantId: string }) => tenantId === (tenantInUrl ?? standing?.tenantId)
  const isWhole = standing?.usage && Array.isArray(memberships) && memberships.every(each => each?.rights)
  return isWhole && isSelected(standing) && memberships.some(isSelected) ? stored : undefined
}

export function storeSession(subject: string, session: StoredSession): void {
  const { memberships, provisioning, testTenants, standing } = session
  const stored = { version, subject, memberships, provisioning, testTenants, standing }
  store(localStorage, sessionKey, JSON.stringify(stored))
}

/** After a sign-out. */
export function removeStoredSession(): void {
  localStorage.removeItem(sessionKey)
}

/** The tenant that was used last: in this tab, else in any. Pages outside a tenant are shown with it. */
const tenantKey = 'age-verification.tenant'

export function readTenantId(): string | undefined {
  const ids = [sessionStorage, localStorage].map(storage => storage.getItem(tenantKey) ?? '')
  return ids.find(id => /^[\da-f-]{36}$/.test(id))
}

export function storeTenantId(tenantId: string): void {
  store(sessionStorage, tenantKey, tenantId)
  store(localStorage, tenantKey, tenantId)
}
