const { SERVICE_URL, API_KEY } = process.env

export async function waitForCompletion(verificationId, deadline = Date.now() + 15 * 60_000) {
  const url = `${SERVICE_URL}/verify/status?verificationId=${verificationId}&wait=25`
  while (Date.now() < deadline) {
    const response = await fetch(url, { headers: { 'x-tenant-api-key': API_KEY } }).catch(() => undefined)
    if (response === undefined || response.status === 429 || response.status >= 500) {
      const seconds = Math.min(Number(response?.headers.get('retry-after') ?? 3), 60)
      await new Promise(resolve => setTimeout(resolve, seconds * 1000))
      continue
    }
    const result = await response.json()
    if (!response.ok) throw new Error(`${result.error}: ${result.message}`)
    if (result.completedAt !== null) return result
  }
  throw new Error('The verification is not completed yet')
}
