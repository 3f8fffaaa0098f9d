import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from '@koa/router'
import { Asset, sendAsset } from '../dashboard/asset.ts'
import { cacheControl, pagePolicy } from '../docs/docs-router.ts'
import { readGroups } from '../docs/documents.ts'
import { layOut } from '../docs/layout.ts'
import { html } from '../html/html.ts'

/** Serves the page that verifies and shows evidence and receipts in the browser. It sends them nowhere. */
export function evidenceRouter(baseUrl: string): Router {
  const router = new Router({ strict: true, sensitive: true })
  const own = (file: string) => readFileSync(join(import.meta.dirname, file))
  const files = ['evidence.js', 'evidence.css'].map(file => new Asset(`/${file}`, own(file)))
  const page = new Asset('/evidence.html', Buffer.from(evidencePage(baseUrl)))
  router.get('/evidence', async ctx => {
    ctx.set('Content-Security-Policy', pagePolicy)
    await sendAsset(ctx, page, cacheControl)
  })
  for (const file of files) router.get(file.path, ctx => sendAsset(ctx, file, cacheControl))
  return router
}

function evidencePage(baseUrl: string): string {
  const content = html`<nav aria-label="Related pages"><a href="dashboard">Dashboard</a> · <a href="docs/evidence">Evidence of a month</a> · <a href="docs/privacy">Erasures</a></nav>
<link rel="stylesheet" href="evidence.css">
<div class="open">
<h1>Evidence and receipts</h1>
<p>Shows a file that this service has signed: the evidence of a month, or the receipt of an erasure. It is verified here, in your
browser, and sent nowhere.</p>
<p><label for="files"><b>Open the file</b></label>, and with it the public keys that were kept with it, where the service publishes
them no longer:<br><input type="file" id="files" multiple accept=".jwt,.json,.txt"></p>
<p><label for="text">Or paste its text:</label><br><textarea id="text" rows="4" spellcheck="false" autocomplete="off"></textarea></p>
</div>
<div id="signed" data-issuer="${baseUrl}" aria-live="polite"><noscript><p class="note warning">This page needs JavaScript.</p></noscript></div>
<script type="module" src="evidence.js"></script>`
  const page = { name: 'signed-files', title: 'Evidence and receipts', root: '', sections: [], content }
  return layOut(page, readGroups(), baseUrl).markup
}
