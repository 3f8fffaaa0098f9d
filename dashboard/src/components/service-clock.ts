/** What the service's clock is ahead of the browser's: between these, in milliseconds. */
let ahead = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }

/**
 * Learns the service's time from a response: its `Date`, in whole seconds, is between the times at which the request was
 * sent and its response arrived. A stored response, which has an `Age`, says nothing.
 */
export function noteServiceTime({ headers }: Response, sentAtMs: number): void {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date) || headers.has('age')) return
  const least = date - Date.now()
  const most = date + 1_000 - sentAtMs
  // Where the two contradict each other, one of the clocks was set.
  const isOther = least > ahead.most || most < ahead.least
  ahead = isOther ? { least, most } : { least: Math.max(least, ahead.least), most: Math.min(most, ahead.most) }
}

/** The browser's time, by the service's clock: ages and days are those of the service, whose times they are compared with. */
export function serviceTime(browserTimeMs = Date.now()): number {
  return browserTimeMs + Math.max(ahead.least, Math.min(0, ahead.most))
}
