import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { withoutHiddenCharacters } from '#domain/parameters.ts'
import type { Config } from '#server/configuration/config.ts'

type Environment = Record<string, string | undefined>

/** Who runs a command, for the audit log. */
interface OperatorIdentity {
  /** The user of the operating system. In a container, the user id may have no name. */
  osUser: string | undefined
  /** Whom OPERATOR_NAME names, or who became this user, or who logged in. Unknown where that is root or nobody. */
  person: string | undefined
}

export function identifyOperator({ operatorName }: Config, env: Environment): OperatorIdentity {
  return { osUser: osUser(), person: operatorName ?? personOf(invokingUser(env)) ?? personOf(loginUserId()) }
}

function osUser(): string | undefined {
  try {
    return userInfo().username.slice(0, 255) || undefined
  } catch {
    const uid = process.getuid?.()
    return uid === undefined ? undefined : `uid ${uid}`
  }
}

/** Who runs the command as another user, by sudo, doas or pkexec: the name, or the id. */
function invokingUser({ SUDO_USER, DOAS_USER, PKEXEC_UID }: Environment): string | undefined {
  return SUDO_USER || DOAS_USER || PKEXEC_UID
}

/** Root is no person: several may have become it before, or logged in as it. */
function personOf(user: string | undefined): string | undefined {
  if (user === undefined) return undefined
  const name = /^\d+$/.test(user) ? nameOfUser(user) : user
  return name === 'root' ? undefined : withoutHiddenCharacters(name.slice(0, 255)).trim() || undefined
}

const unset = '4294967295'

/**
 * The id of the user who logged in, which the kernel keeps whoever they become afterwards; undefined where nobody did. A
 * container of Podman has that of its host, whose users it doesn't know.
 */
function loginUserId(): string | undefined {
  if (existsSync('/run/.containerenv')) return undefined
  try {
    const id = readFileSync('/proc/self/loginuid', 'utf8').trim()
    return id === unset ? undefined : id
  } catch {
    // Not Linux, or a kernel without auditing.
    return undefined
  }
}

/** By the system's command, which knows the users of directories, too. */
function nameOfUser(id: string): string {
  try {
    return execFileSync('id', ['-nu', id], { encoding: 'utf8', timeout: 2_000, stdio: 'pipe' }).trim()
  } catch {
    return `uid ${id}`
  }
}
