import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a SQLite file that only its owner can read; creates it, its folder and the tables of `schema` if missing.
 * A committed write survives a killed process, but not a crash of the machine: the log is not flushed on each commit.
 * Throws an error that names the file.
 */
export function openSqlite(path: string, schema: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    closeSync(openSync(path, 'a', 0o600))
    database = new DatabaseSync(path)
    database.exec(`pragma journal_mode = wal; pragma synchronous = normal; ${schema}`)
    return database
  } catch (cause) {
    database?.close()
    throw new Error(`The data file ${path} cannot be used: ${(cause as Error).message}`, { cause })
  }
}
