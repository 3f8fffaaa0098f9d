import type { Field } from './fields-of.ts'
import type { Operation } from './operations-of.ts'

/** A curl command with the required parameters and fields. The API key comes from a shell variable. */
export function exampleCall({ method, path, parameters, body }: Operation, baseUrl: string): string {
  const query = new URLSearchParams()
  for (const { name, example } of parameters.filter(isRequired)) {
    query.set(name, String(example ?? name.toUpperCase()))
  }
  const url = `${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`, '-H "x-tenant-api-key: $API_KEY"']
  if (body) {
    lines.push("-H 'content-type: application/json'", `-d '${JSON.stringify(exampleBody(body.fields))}'`)
  }
  return lines.join(' \\\n  ')
}

function exampleBody(fields: Field[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter(isRequired).map(({ name, example }) => [name, example ?? name.toUpperCase()]),
  )
}

function isRequired({ required }: Field): boolean {
  return required
}
