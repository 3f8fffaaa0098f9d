/**
 * Why a tenant may not configure this URL, as a public sentence; undefined if it may. The URL must be absolute, use
 * https, have no credentials, and be stored exactly as it will be used. The destination itself is not judged.
 */
export function httpsUrlViolation(url: string): string | undefined {
  if (url.length > urlCharactersMax) return 'The URL must be at most 2,048 characters long.'
  // The URL parser drops or converts these silently, so the stored URL would differ from the one in use.
  if (/[\s\\]|\p{Cc}/u.test(url)) {
    return 'The URL must not contain white space, control characters or backslashes.'
  }
  if (!/^https:\/\/[^/]/i.test(url)) return 'The URL must start with https:// and name a host.'
  if (!URL.canParse(url)) return 'The URL is not valid.'
  if (authority(url).includes('@')) return 'The URL must not contain a user name or password.'
  return undefined
}

const urlCharactersMax = 2_048

/** The unparsed part between the scheme and the path. */
function authority(url: string): string {
  return url.slice('https://'.length).split(/[/?#]/, 1)[0] ?? ''
}
