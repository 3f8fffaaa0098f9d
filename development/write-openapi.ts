import { writeFileSync } from 'node:fs'
import { checkedInDocument } from '#rest/openapi/document.ts'

/** Writes the document that is checked in: `npm run openapi`. */
writeFileSync('openapi.json', checkedInDocument())
