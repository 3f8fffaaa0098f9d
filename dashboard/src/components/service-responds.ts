/** No response for so long is none at all. */
const timeoutMs = 10_000

/** Whether the service sends the page of the dashboard itself. */
export async function serviceResponds(signal?: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(window.location.href, {
      method: 'HEAD',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return response.ok
  } catch {
    return false
  }
}
