import { isIP } from 'node:net'
import type { Context } from 'koa'

/**
 * Returns the caller's IP address: the one that the outermost trusted proxy (`TRUST_PROXY`) reports, or else that
 * of the connection. A port that some proxies append is removed. Anything but an IP address is ignored, and so is an
 * address with a zone, which can be any text.
 */
export function callerAddress(ctx: Context): string {
  const bare = ctx.ip.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return isIP(bare) && !bare.includes('%') ? bare : (ctx.socket.remoteAddress ?? '')
}
