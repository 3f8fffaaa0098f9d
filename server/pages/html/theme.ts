import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Light and dark colours and typography: the start of every page's style sheet. */
export const theme = ['tokens.css', 'theme.css']
  .map(file => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n')
