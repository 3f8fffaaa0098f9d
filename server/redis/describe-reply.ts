import { keyPrefix } from './key-names.ts'

/** What the service sends, itself or in scripts; where Redis doesn't let it run INFO, it does without. */
const neededCommands = 'DEL, EVAL, EVALSHA, GET, HELLO, HGET, HMGET, HSET, INCR, PEXPIRE, PING and SET'

/** Why Redis rejects a command, without the arguments that it quotes: those of HELLO are a user and a password. */
export function describeReply({ message }: Error): string {
  const reply = message.replace(/, with args beginning with: .*$/s, '')
  const isForbidden = /unknown (redis )?command|^NOPERM/i.test(reply)
  return isForbidden ? `${reply} (needed are ${neededCommands}: see rename-command and the ACL)` : reply
}

/** What to do about keys of which one has something else than the service stores there; undefined for other replies. */
export function describeForeignKey({ message }: Error, keys: readonly string[]): string | undefined {
  if (!/^WRONGTYPE|not an integer/.test(message)) return undefined
  const which = keys.length === 1 ? `the key ${keys[0]}` : `one of the keys ${keys.join(', ')}`
  return `${which} of Redis has not what the service stores there: delete it, and let nothing else use ${keyPrefix}*`
}
