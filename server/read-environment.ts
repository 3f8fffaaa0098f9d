import { existsSync } from 'node:fs'

/** The process's environment, after the file `.env` of the current folder has filled what is unset. */
export function readEnvironment(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile()
  return process.env
}
