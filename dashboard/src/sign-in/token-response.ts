/** A token response without the fields that have no value, which some issuers send as null or empty: they count as absent. */
export async function withoutEmptyFields(response: Response): Promise<Response> {
  const unchanged = response.clone()
  const fields = readFields(await response.text())
  if (!fields) return unchanged
  const { status, headers } = response
  return new Response(JSON.stringify(fields), { status, headers })
}

/** Undefined for what is no object of JSON, which the library rejects. */
function readFields(text: string): object | undefined {
  try {
    const fields: unknown = JSON.parse(text, (_name, value) => (value === '' ? undefined : (value ?? undefined)))
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : undefined
  } catch {
    return undefined
  }
}
