import { writeFileSync } from 'node:fs'
import { checkedInDocument } from '../openapi.ts'

/** Writes the document that is checked in: `npm run openapi`. */
writeFileSync('openapi.json', checkedInDocument())
