import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from '@koa/router'
import { theme } from '../../../html/theme.ts'

const css = theme + readFileSync(join(import.meta.dirname, 'page.css'), 'utf8')

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6e66"/>' +
  '<path d="m9 17 5 5 9-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>'

export function createAssetsRouter(): Router {
  const router = new Router({ prefix: '/assets' })
  router.get('/page.css', ctx => {
    ctx.type = 'css'
    ctx.body = css
  })
  router.get('/icon.svg', ctx => {
    ctx.type = 'svg'
    ctx.body = icon
  })
  return router
}
