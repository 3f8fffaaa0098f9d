import { readFileSync, writeFileSync } from 'node:fs'

export const file = 'clients/typescript/src/generated/openapi.ts'

/** The TypeScript client's types of the API, from the document that is checked in: its schemas, and nothing of its paths. */
export async function typesOfApi(): Promise<string> {
  await import('./typescript-5.ts')
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const { openapi, info, components } = JSON.parse(readFileSync('openapi.json', 'utf8'))
  const types = await openapiTypescript({ openapi, info, components: { schemas: components.schemas } })
  return `// Generated from openapi.json: npm run sdk-types\n\n${astToString(types)}`
}

if (import.meta.main) writeFileSync(file, await typesOfApi())
