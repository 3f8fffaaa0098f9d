import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Router } from '@koa/router'
import type { Context } from 'koa'
import { Asset, sendAsset } from '../dashboard/asset.ts'
import { createNpmRegistry } from './npm-registry.ts'
import { createPythonIndex, normalizeName } from './python-index.ts'
import { immutable, releasedFolder } from './released.ts'

const cacheControl = 'public, max-age=300'

/**
 * Serves the released clients as package managers ask for them: at `/npm/` as npm's registry has packages, at `/simple/` as
 * PyPI has them. What isn't ours is passed to the next middleware: to no manager this is a mirror of other packages.
 */
export function packagesRouter(baseUrl: string): Router {
  const router = new Router({ strict: true, sensitive: true })
  const { documents, tarballs } = createNpmRegistry(baseUrl)
  // The slash of the name is encoded by npm, in either case, and not by everybody; the parameter is decoded.
  router.get('/npm/*path', async (ctx, next) => {
    const document = documents.get(ctx.params.path!)
    const tarball = tarballs.get(ctx.params.path!)
    if (document) await sendByType(ctx, document)
    else if (tarball) await sendTarball(ctx, tarball)
    else await next()
  })
  const { name, index, project } = createPythonIndex()
  router.get('/simple/', ctx => sendByType(ctx, index))
  router.get(`/simple/${name}/`, ctx => sendByType(ctx, project))
  const redirect = (ctx: Context, path: string) => {
    ctx.redirect(`${baseUrl}${path}`)
    ctx.status = 301
  }
  router.get('/simple', ctx => redirect(ctx, '/simple/'))
  router.get(['/simple/:project', '/simple/:project/'], async (ctx, next) => {
    if (normalizeName(ctx.params.project!) === name) redirect(ctx, `/simple/${name}/`)
    else await next()
  })
  return router
}

/** Read when it is asked for: these files are ever more, and rarely downloaded. */
async function sendTarball(ctx: Context, file: string): Promise<void> {
  await sendAsset(ctx, new Asset(file, await readFile(join(releasedFolder, file))), immutable)
  ctx.type = 'application/octet-stream'
}

/** What the client likes best; the first, if it likes none. */
async function sendByType(ctx: Context, assets: Record<string, Asset>): Promise<void> {
  const types = Object.keys(assets)
  const type = ctx.accepts(...types) || types[0]!
  ctx.vary('Accept')
  await sendAsset(ctx, assets[type]!, cacheControl)
  ctx.type = type
}
