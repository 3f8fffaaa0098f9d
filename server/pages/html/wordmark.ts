import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Html, html } from './html.ts'

/** The same as the dashboard's. */
const icon = readFileSync(join(import.meta.dirname, 'icon.svg'), 'utf8').trim()

const glyph = new Html(
  icon.replace(/<title>.*<\/title>/, '').replace('<svg ', '<svg width="24" height="24" aria-hidden="true" '),
)

/** The icon and a name, as in the header of every page. */
export function wordmark(name: string): Html {
  return html`<span class="wordmark">${glyph}${name}</span>`
}

/** The icon as the URL of an image, which a page's content security policy must allow. */
export const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`
