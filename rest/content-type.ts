import { MIMEType } from 'node:util'
import type { Context } from 'koa'
import type { InputIssue } from '#domain/error-details.ts'
import { isRepeated } from './is-repeated.ts'

const path = 'Content-Type'

/** What is wrong with the declared type of a body that must be JSON. Call it before the body is read. */
export function findTypeIssue(ctx: Context): InputIssue | undefined {
  const type = ctx.get(path)
  // The most frequent one.
  if (type !== 'application/json' && !ctx.is('application/json')) {
    const found =
      type === '' ? 'is required: application/json' : `must be application/json, not ${shorten(type)}`
    return { path, message: found }
  }
  return findCharsetIssue(ctx)
}

/** What is wrong with it whatever the type is: another body than the one that was meant could be read. */
export function findCharsetIssue({ req }: Context): InputIssue | undefined {
  if (isRepeated(req, 'content-type')) return { path, message: 'was sent more than once; send it once' }
  const type = req.headers['content-type'] ?? ''
  if ((type.match(/;\s*charset\s*=/gi)?.length ?? 0) > 1) return { path, message: 'must have one charset' }
  const charset = type.includes(';') ? readCharset(type) : null
  if (charset === null || /^'?utf-?8'?$/i.test(charset)) return undefined
  return { path, message: `must have no charset but utf-8, not ${shorten(charset)}` }
}

function readCharset(type: string): string | null {
  try {
    return new MIMEType(type).params.get('charset')
  } catch {
    // No type at all, which no body may have.
    return null
  }
}

function shorten(text: string): string {
  return text.slice(0, 100)
}
