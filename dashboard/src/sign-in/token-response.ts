import { parse } from '../components/foreign-response.ts'

/** A token response without the fields that have no value, which some issuers send as null or empty: they count as absent. */
export async function withoutEmptyFields(response: Response): Promise<Response> {
  const fields = parse(await response.clone().text())
  // The library rejects what is no object.
  if (fields?.constructor !== Object) return response
  const body = JSON.stringify(fields, (_name, value) => (value === '' ? undefined : (value ?? undefined)))
  return new Response(body, response)
}
