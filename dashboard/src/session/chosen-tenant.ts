/** The tenant in view outlives a reload in its own tab, and is the first choice of a new one. */
const key = 'age-verification.tenant'

export function chosenTenant(): string | undefined {
  return sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined
}

export function rememberTenant(tenantId: string): void {
  sessionStorage.setItem(key, tenantId)
  localStorage.setItem(key, tenantId)
}
