import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Colours, light and dark, and type: the first part of a page's style sheet. */
export const theme = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8')
