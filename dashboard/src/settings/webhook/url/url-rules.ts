export interface UrlRule {
  sentence: string
  /** Whether a URL that was typed keeps it. */
  holds: (url: string) => boolean
}

/** What the service asks of a webhook URL; it checks again, and looks the host up when it sends. */
export const urlRules: UrlRule[] = [
  { sentence: 'Starts with https:// and names a host.', holds: url => /^https:\/\/[^/\s]/i.test(url) },
  { sentence: 'Has no user name or password.', holds: url => !/^[a-z]+:\/\/[^/?#]*@/i.test(url) },
  { sentence: 'Has no fragment (#…).', holds: url => !url.includes('#') },
  {
    sentence: 'Has no spaces or backslashes, and at most 2,048 characters.',
    holds: url => !/[\s\\]/.test(url) && url.length <= 2_048,
  },
  { sentence: 'Can be reached publicly: no private or local address.', holds: url => !isPrivate(url) },
]

/** What is plainly not public. Names that lead to private addresses only the service can find out. */
function isPrivate(url: string): boolean {
  if (!URL.canParse(url)) return false
  const host = new URL(url).hostname
  if (/^(localhost|.*\.(localhost|local|internal))$/.test(host) || host.startsWith('[')) return true
  return /^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\./.test(host)
}
