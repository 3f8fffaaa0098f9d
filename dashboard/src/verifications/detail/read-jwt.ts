export interface ReadJwt {
  header: Record<string, unknown>
  claims: Record<string, unknown>
}

/** What a JWT says, unverified: good for showing, never for trusting. Undefined for anything else. */
export function readJwt(jwt: string): ReadJwt | undefined {
  const [header, claims] = jwt.split('.')
  try {
    return { header: readPart(header), claims: readPart(claims) }
  } catch {
    return undefined
  }
}

function readPart(part = ''): Record<string, unknown> {
  const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), character =>
    character.charCodeAt(0),
  )
  return JSON.parse(new TextDecoder().decode(bytes))
}
