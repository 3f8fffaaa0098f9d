import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface SavedResults {
  name: string
  description: string
  conditions: string
  table: string
}

/** Writes the results of one benchmark to `test/bench/results`. */
export async function saveResults({ name, description, conditions, table }: SavedResults): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const text = `# ${name}\n\n${description}\n\n${today}, ${conditions}.\n\n${table}\n`
  await writeFile(join(import.meta.dirname, `../results/${name}.md`), text)
}
