import { writeFileSync } from 'node:fs'
import { openApiText } from './document.ts'

/** Writes the document that is checked in: `npm run openapi`. */
writeFileSync('openapi.json', openApiText())
