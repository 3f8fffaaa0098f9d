import { tokenVectors } from './tokens.ts'

/** The text of each generated file, by name. */
export function vectorFiles(): Record<string, string> {
  return {
    'tokens.json': textOf(tokenVectors()),
  }
}

function textOf(vectors: readonly object[]): string {
  return `${JSON.stringify({ vectors }, null, 2)}\n`
}
