const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const localSeconds = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const localDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** In the user's own time zone, to the minute: 20 Nov 2026, 21:22. */
export function formatLocal(iso: string): string {
  return local.format(new Date(iso))
}

export function formatLocalSeconds(iso: string): string {
  return localSeconds.format(new Date(iso))
}

export function formatLocalDay(iso: string): string {
  return localDay.format(new Date(iso))
}

/** To the millisecond, for comparing with logs: 2026-11-20 21:22:46.123 UTC. */
export function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().replace('T', ' ').replace('Z', '')} UTC`
}
