import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Light and dark colours and typography: the start of every page's style sheet. */
export const theme = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8')
