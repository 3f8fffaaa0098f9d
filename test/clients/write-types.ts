import { writeFileSync } from 'node:fs'
import { typesFile } from './types-file.ts'

/** Writes the types of the API that are checked in: `npm run sdk-types`. */
writeFileSync('clients/typescript/src/generated/openapi.ts', await typesFile())
