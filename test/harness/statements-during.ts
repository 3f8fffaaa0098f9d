import pg from 'pg'

interface SentStatement {
  /** Of a prepared statement. */
  name?: string
  text?: string
}

/**
 * The statements that this process sends to PostgreSQL during the work, `begin` and `commit` included: the name of a
 * prepared statement, or else its text.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const stop = observeStatements(({ name, text = '' }) => sent.push(name ?? text))
  try {
    await work()
  } finally {
    stop()
  }
  return sent
}

/** Calls `onSent` before each statement that this process sends to PostgreSQL, until the returned function is called. */
export function observeStatements(onSent: (statement: SentStatement) => void): () => void {
  const prototype = pg.Client.prototype as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function observed(...given) {
    const [statement] = given as [string | SentStatement]
    onSent(typeof statement === 'string' ? { text: statement } : statement)
    return query.apply(this, given)
  }
  return () => {
    prototype.query = query
  }
}
