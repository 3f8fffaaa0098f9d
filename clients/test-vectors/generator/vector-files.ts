import { writeFileSync } from 'node:fs'
import { apiKeyVectors } from './api-keys.ts'
import { tokenVectors } from './tokens.ts'
import { webhookVectors } from './webhook-signatures.ts'

/** The text of each generated file, by name. The same each time. */
export function vectorFiles(): Record<string, string> {
  return {
    'webhook-signatures.json': textOf(webhookVectors()),
    'api-keys.json': textOf(apiKeyVectors()),
    'tokens.json': textOf(tokenVectors()),
  }
}

function textOf(vectors: readonly object[]): string {
  return `${JSON.stringify({ vectors }, null, 2)}\n`
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(vectorFiles()))
    writeFileSync(`clients/test-vectors/${file}`, text)
}
