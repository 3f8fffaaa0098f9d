/** A tenant's URL without its query, which may hold a secret of the tenant's. */
export function auditedUrl(url: string | null | undefined): string | null {
  if (!url) return null
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
