import { readFileSync } from 'node:fs'

/** The samples of a document by the file name in their first line, which is a comment. */
export function samplesOf(document: string): Map<string, string> {
  const blocks = readFileSync(document, 'utf8').matchAll(
    /^```(?:js|ts|python)\n(?:\/\/|#) ([\w.-]+)\n(.*?)^```/gms,
  )
  return new Map([...blocks].map(([, name, code]) => [name!, code!]))
}
