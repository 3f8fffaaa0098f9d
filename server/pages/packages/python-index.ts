import { Asset } from '../dashboard/asset.ts'
import { type Html, html } from '../html/html.ts'
import { readProjectDetail } from './released.ts'

/** In the media types that there are. */
type Page = Record<string, Asset>

const meta = { 'api-version': '1.1' }

/** The simple repository API: its one project, and the files of that, in HTML (PEP 503) and JSON (PEP 691). */
export function createPythonIndex(): { name: string; index: Page; project: Page } {
  const project = readProjectDetail()
  const { name } = project
  const links = project.files.map(
    ({ filename, url, hashes, 'requires-python': python }) =>
      html`<a href="${`${url}#sha256=${hashes.sha256}`}" data-requires-python="${python}">${filename}</a><br>\n`,
  )
  return {
    name,
    index: toPage('Packages', html`<a href="${name}/">${name}</a>`, { meta, projects: [{ name }] }),
    project: toPage(name, html`${links}`, { meta, ...project }),
  }
}

/** As PEP 503 has it: what users write in any of these ways is one project. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

function toPage(title: string, links: Html, value: object): Page {
  const page = html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="pypi:repository-version" content="1.1"><title>${title}</title></head>
<body>
${links}
</body>
</html>
`
  const htmlAsset = new Asset('page.html', Buffer.from(page.markup))
  const jsonAsset = new Asset('page.json', Buffer.from(JSON.stringify(value)))
  const type = 'application/vnd.pypi.simple.v1'
  return { 'text/html': htmlAsset, [`${type}+html`]: htmlAsset, [`${type}+json`]: jsonAsset }
}
