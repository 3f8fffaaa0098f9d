import { readFileSync } from 'node:fs'

/** `MAJOR.MINOR.PATCH` of this program. Migrations name the oldest version that can run on their schema. */
export const programVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version

/** Negative if the first version is older than the second one, 0 if they are the same, otherwise positive. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}
