import { html } from '../../../html/html.ts'
import { layout } from './layout.ts'
import { sendPage } from './send-page.ts'

/** A page that only says something. */
export function showMessage(
  ctx: Parameters<typeof sendPage>[0],
  { title, message }: { title: string; message: string },
): void {
  sendPage(ctx, layout(title, html`<h1>${title}</h1>\n<p class="lead">${message}</p>`))
}
