import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const project = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))

/** The version of the service. */
export const version: string = project.version
