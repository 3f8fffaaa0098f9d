import pg from 'pg'

/**
 * The statements that this process sends to PostgreSQL during the work, `begin` and `commit` included: the name of a
 * prepared statement, or else its text.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const prototype = pg.Client.prototype as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  const sent: string[] = []
  prototype.query = function recording(...given) {
    const [statement] = given as [string | { name?: string; text?: string }]
    sent.push(typeof statement === 'string' ? statement : (statement.name ?? statement.text ?? ''))
    return query.apply(this, given)
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return sent
}
