const { SERVICE_URL, API_KEY } = process.env

/** Pauses before each further request. Believes only what is about this verification: proxies have answers, and redirects, of their own. */
export async function waitForCompletion(verificationId, deadline = Date.now() + 15 * 60_000) {
  const url = `${SERVICE_URL}/verify/status?verificationId=${verificationId}&wait=25`
  while (Date.now() < deadline) {
    const signal = AbortSignal.timeout(40_000)
    const headers = { 'x-tenant-api-key': API_KEY } // A redirect would take it elsewhere.
    const init = { headers, redirect: 'manual', cache: 'no-store', signal }
    const response = await fetch(url, init).catch(() => undefined)
    const result = await response?.json().catch(() => undefined)
    const { ok = false, status = 503 } = response ?? {}
    if (status >= 400 && status < 500 && status !== 429) throw new Error(`${status} ${result?.message}`)
    const isAsked = result?.verificationId?.toLowerCase?.() === verificationId.toLowerCase()
    if (ok && isAsked && typeof result.completedAt === 'string') return result
    const seconds = Number(response?.headers.get('retry-after')) // Not a number if it is a date.
    const pauseSeconds = seconds >= 1 ? Math.min(seconds, 60) : ok ? 1 : 3
    await new Promise(resolve => setTimeout(resolve, pauseSeconds * 1000))
  }
  throw new Error('The verification is not completed yet')
}
