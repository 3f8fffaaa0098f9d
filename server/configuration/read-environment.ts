import { existsSync, readFileSync } from 'node:fs'
import { ConfigError, environmentVariables } from './config.ts'

type Environment = Record<string, string | undefined>

/**
 * Reads the process's environment. The file `.env` of the current folder supplies variables that are unset, and
 * each variable `X` can come from the file that `X_FILE` names. Throws a `ConfigError` that lists every `X_FILE`
 * that cannot be used.
 */
export function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile()
  return resolveFiles(process.env)
}

/** Replaces each `X_FILE` by `X` with the file's content. What surrounds a value, of a variable or in a file, is no part of it. */
export function resolveFiles(env: Environment): Environment {
  const resolved = { ...env }
  const violations: string[] = []
  for (const name of environmentVariables) {
    const fileVariable = `${name}_FILE`
    const [value, file] = [env[name], env[fileVariable]].map(given => trim(given ?? ''))
    if (env[name] !== undefined) resolved[name] = value
    if (!file) continue
    delete resolved[fileVariable]
    if (value) {
      violations.push(`${fileVariable} and ${name} are both set: unset one of them`)
      continue
    }
    try {
      resolved[name] = readValue(file)
    } catch (error) {
      violations.push(`${fileVariable} cannot be used: ${(error as Error).message}`)
    }
  }
  if (violations.length > 0) throw new ConfigError(violations)
  return resolved
}

function readValue(file: string): string {
  const value = trim(readFileSync(file, 'utf8'))
  if (value === '') throw new Error(`${file} is empty`)
  return value
}

/** Removes white space, line breaks, byte order marks and other invisible characters, as editors and copying add them. */
function trim(value: string): string {
  return value.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
}
