import { openApiDocument, providerDocument } from '../openapi.ts'

/** Stands for the address of an installation. */
const baseUrl = 'https://verify.example'

/** The documents that are checked in: the text of each file, by its name. */
export function documentFiles(): Record<string, string> {
  return {
    'openapi.json': textOf(openApiDocument(baseUrl)),
    'openapi.provider.json': textOf(providerDocument(baseUrl)),
  }
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
