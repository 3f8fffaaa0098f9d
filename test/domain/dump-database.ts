interface Queried {
  rows<Row>(text: string): Promise<Row[]>
}

/** Every row of every table as text, as a dump of the database has it, after the name of its table. */
export async function dumpDatabase({ rows }: Queried): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1`,
  )
  const lines: string[] = []
  for (const { name } of tables) {
    const found = await rows<{ line: string }>(
      `select row_to_json(t)::text as line from ${name} t order by 1`,
    )
    lines.push(...found.map(({ line }) => `${name} ${line}`))
  }
  return lines
}

/** The names of the tables of these lines, each once. */
export function tablesOf(lines: readonly string[]): string[] {
  const names = lines.map(line => line.slice(0, line.indexOf(' ')))
  return [...new Set(names)].toSorted()
}
