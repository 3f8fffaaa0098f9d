/**
 * Why this is no address that a tenant may set, in one public sentence; undefined if it is one: an absolute https
 * URL, as it will be used, without credentials. Says nothing of where it leads.
 */
export function httpsUrlViolation(url: string): string | undefined {
  if (url.length > urlCharactersMax) return 'The URL must be at most 2,048 characters long.'
  // The URL parser would drop or convert these silently, so what is stored would not be what is used.
  if (/[\s\\]|\p{Cc}/u.test(url)) {
    return 'The URL must not contain white space, control characters or backslashes.'
  }
  if (!/^https:\/\/[^/]/i.test(url)) return 'The URL must start with https:// and name a host.'
  if (!URL.canParse(url)) return 'The URL is not valid.'
  if (authority(url).includes('@')) return 'The URL must not contain a user name or password.'
  return undefined
}

const urlCharactersMax = 2_048

/** What stands between the scheme and the path, as it was written. */
function authority(url: string): string {
  return url.slice('https://'.length).split(/[/?#]/, 1)[0] ?? ''
}
