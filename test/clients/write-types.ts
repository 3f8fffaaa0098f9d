import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

export const file = 'clients/typescript/src/generated/openapi.ts'

/** The TypeScript client's types of the API, from the document that is checked in: its schemas, and nothing of its paths. */
export async function typesOfApi(): Promise<string> {
  useTypescript5()
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const { openapi, info, components } = JSON.parse(readFileSync('openapi.json', 'utf8'))
  const types = await openapiTypescript({ openapi, info, components: { schemas: components.schemas } })
  return `// Generated from openapi.json: npm run sdk-types\n\n${astToString(types)}`
}

/**
 * Lets the generator of types have TypeScript 5, whose compiler API TypeScript 7 doesn't have. npm installs one version
 * under a name, so the other one has its own.
 */
function useTypescript5(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const isGenerator = /\/node_modules\/openapi-typescript\//.test(context.parentURL ?? '')
      return next(specifier === 'typescript' && isGenerator ? 'typescript-5' : specifier, context)
    },
  })
}

if (import.meta.main) writeFileSync(file, await typesOfApi())
