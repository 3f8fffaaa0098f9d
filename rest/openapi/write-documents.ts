import { writeFileSync } from 'node:fs'
import { documentFiles } from './document-files.ts'

/** Writes the documents that are checked in: `npm run openapi`. */
for (const [file, text] of Object.entries(documentFiles())) writeFileSync(file, text)
