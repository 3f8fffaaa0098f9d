import { writeFileSync } from 'node:fs'
import { vectorFiles } from './vector-files.ts'

/** Writes the files of test vectors. They are the same each time. */
for (const [file, text] of Object.entries(vectorFiles())) writeFileSync(`clients/test-vectors/${file}`, text)
