import { Router } from '@koa/router'
import type { Context, Next } from 'koa'
import { LRUCache } from 'lru-cache'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import {
  getStatement,
  listStatements,
  type StatementVersion,
} from '#domain/practice-statement/get-statement.ts'
import type { Statement } from '#domain/practice-statement/practice.ts'
import type { Scope } from '#domain/scope.ts'
import { crossOriginHeaders } from '#rest/cross-origin.ts'
import { Asset, sendAsset } from '../dashboard/asset.ts'
import { cacheControl, pagePolicy } from '../docs/docs-router.ts'
import { factsWithoutText, statementPage } from './statement-page.ts'

/** Anyone can ask, so the list of versions is read every few seconds at most. */
const listCachedMs = 5_000
const filesMax = 50

/** Serves the practice statement, each of its versions as a page and as JSON. Where there is none, the next middleware answers. */
export function practiceRouter(baseUrl: string, scopeOf: () => Scope): Router {
  const router = new Router({ strict: true, sensitive: true })
  const list = cacheBriefly(listCachedMs, listStatements)
  const files = new LRUCache<string, Asset>({ max: filesMax })

  /** The file of a version; undefined if there is no such version. */
  async function find(version: string | undefined, type: 'html' | 'json'): Promise<Asset | undefined> {
    const scope = scopeOf()
    const versions = await list(scope, scope.now.getTime())
    const found = version === undefined ? versions[0] : versions.find(each => `${each.version}` === version)
    if (!found) return undefined
    const isNewest = version === undefined
    // A page lists the versions, and links to them from where it is.
    const key = [found.sha256, found.version, type, isNewest, versions.length].join()
    const known = files.get(key)
    if (known) return known
    const stored = await getStatement(scope, found.version)
    if (stored === undefined) return undefined
    const earlier = type === 'html' ? await getStatement(scope, found.version - 1) : undefined
    const before = earlier === undefined ? undefined : (JSON.parse(earlier) as Statement)
    const text =
      type === 'json'
        ? statementJson(found, stored)
        : statementPage({ found, versions, statement: JSON.parse(stored), before, baseUrl, isNewest })
    const file = new Asset(`practice-statement.${type}`, Buffer.from(text))
    files.set(key, file)
    return file
  }

  const sendPage = async (ctx: Context, next: Next) => {
    const file = await find(ctx.params.version, 'html')
    if (!file) return await next()
    ctx.set('Content-Security-Policy', pagePolicy)
    await sendAsset(ctx, file, cacheControl)
  }
  const sendJson = async (ctx: Context, next: Next) => {
    const file = await find(ctx.params.version, 'json')
    if (!file) return await next()
    ctx.set(crossOriginHeaders)
    await sendAsset(ctx, file, cacheControl)
  }
  router.get('/practice-statement', sendPage)
  router.get('/practice-statement.json', sendJson)
  router.get('/practice-statement/:version.json', sendJson)
  router.get('/practice-statement/:version', sendPage)
  return router
}

/** `statement` stands in it byte for byte, so that its hash can be computed again. */
function statementJson({ version, since, sha256 }: StatementVersion, statement: string): string {
  const missing = factsWithoutText(JSON.parse(statement) as Statement).map(({ setting }) => setting)
  const head = JSON.stringify({ version, date: since.toISOString(), sha256, missing })
  return `${head.slice(0, -1)},"statement":${statement}}\n`
}
