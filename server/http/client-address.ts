import { isIP } from 'node:net'
import type { Context } from 'koa'

/**
 * The caller's IP address: what the outermost trusted proxy (`TRUST_PROXY`) says, or else that of the connection.
 * Some proxies write the port too; what is no address at all is not believed, nor is a zone, which can be any text.
 */
export function callerAddress(ctx: Context): string {
  const bare = ctx.ip.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return isIP(bare) && !bare.includes('%') ? bare : (ctx.socket.remoteAddress ?? '')
}
