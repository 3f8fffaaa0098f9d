import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Context, Middleware } from 'koa'
import { describeRequest } from '../../http/access-log.ts'
import { Asset, sendAsset } from './asset.ts'
import { createIssuerMetadata } from './issuer-metadata.ts'

const builtFolder = join(import.meta.dirname, '../../../dashboard/dist')

interface DashboardOptions {
  /** The output of `vite build dashboard`. */
  distFolder?: string
  issuer: string
  clientId: string
  audience: string
  scope?: string | undefined
  baseUrl: string
  consoleUrl: string
}

/**
 * Serves the dashboard under /dashboard: the page, with its configuration, for every path that names no file, and
 * immutable hashed assets. Unknown files and other methods are passed to the next middleware. The files are read once,
 * on the first request.
 */
export function serveDashboard(options: DashboardOptions): Middleware {
  const { distFolder = builtFolder, baseUrl, consoleUrl, issuer, clientId, audience, scope } = options
  const issuerMetadata = createIssuerMetadata(issuer)
  const config = () => ({
    baseUrl,
    consoleUrl,
    issuer,
    clientId,
    audience,
    scope,
    metadata: issuerMetadata(),
  })
  let files: Map<string, Asset> | undefined
  return async (ctx, next) => {
    const path = dashboardPath(ctx)
    if (path === undefined) return next()
    describeRequest(ctx, { route: 'GET /dashboard' })
    files ??= await readDist(distFolder)
    const asset = files?.get(path)
    if (asset && path !== page) return sendAsset(ctx, asset)
    const html = files?.get(page)
    if (!html || namesFile(path)) return next()
    sendPage(ctx, html, { options, config: config() })
  }
}

const page = 'index.html'

/** Stands for the nonce in the built page; `vite.config.ts` puts it there. */
const noncePlaceholder = /__STYLE_NONCE__/g
/** Stands for the configuration, in a script element of `index.html` that holds JSON. */
const configPlaceholder = '"__CONFIG__"'

/** Returns the path below /dashboard/, empty for the dashboard itself; undefined for any other request. */
function dashboardPath(ctx: Context): string | undefined {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return undefined
  if (ctx.path === '/dashboard') return ''
  return ctx.path.startsWith('/dashboard/') ? ctx.path.slice('/dashboard/'.length) : undefined
}

/** Pages have no dot in their last segment, files do. */
function namesFile(path: string): boolean {
  return path.startsWith('assets/') || /\.[^/]*$/.test(path)
}

/** The page contains a nonce that is valid for one response, so it must not be cached. */
function sendPage(
  ctx: Context,
  html: Asset,
  { options, config }: { options: DashboardOptions; config: object },
): void {
  const nonce = randomBytes(16).toString('base64url')
  ctx.set('Content-Security-Policy', contentSecurityPolicy(options, nonce))
  ctx.set('X-Frame-Options', 'SAMEORIGIN')
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = html.bytes
    .toString('utf8')
    .replace(noncePlaceholder, nonce)
    .replace(configPlaceholder, () => toScriptText(config))
}

/** JSON that can't end the element around it. */
function toScriptText(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/**
 * Allows the built files as scripts, and of other origins only the sign-in provider and, if it differs, the console.
 * The page can frame the provider and itself, which is how the sign-in is renewed silently. The nonce is for the style
 * elements that Mantine inserts at run time.
 */
function contentSecurityPolicy({ issuer, consoleUrl }: DashboardOptions, nonce: string): string {
  const issuerOrigin = new URL(issuer).origin
  const connect = new Set(["'self'", issuerOrigin, new URL(consoleUrl).origin])
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src ${[...connect].join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `frame-src 'self' ${issuerOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}

/**
 * Reads every built file, keyed by its path below the folder. Returns undefined if there is no build. Requests are
 * looked up in this map and never reach the file system, so path traversal is impossible.
 */
async function readDist(distFolder: string): Promise<Map<string, Asset> | undefined> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(distFolder, options).catch(ignoreMissing)
  if (!entries) return undefined
  const files = entries.filter(entry => entry.isFile())
  const assets = await Promise.all(
    files.map(async entry => {
      const file = join(entry.parentPath, entry.name)
      return new Asset(relative(distFolder, file).split(sep).join('/'), await readFile(file))
    }),
  )
  return new Map(assets.map(asset => [asset.path, asset]))
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
