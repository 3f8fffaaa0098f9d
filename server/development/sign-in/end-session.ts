import type { Context, Next } from 'koa'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { showMessage } from './page/show-message.ts'

/**
 * Signs out without asking, and goes back to the dashboard. The provider's own way is a page that asks, which
 * guards against other sites that sign people out: of no matter in development.
 */
export async function endSessionAtOnce(ctx: KoaContextWithOIDC): Promise<void> {
  const target = returnAddress(ctx)
  await ctx.oidc.session!.destroy()
  ctx.cookies.set(ctx.oidc.provider.cookieName('session'), null)
  leave(ctx, target)
}

/** The same for a browser whose session is over already: the provider would answer with a form and a script. */
export async function endSession(ctx: Context, next: Next): Promise<void> {
  await next()
  const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>
  if (oidc?.route !== 'end_session' || ctx.status !== 200) return
  leave(ctx as unknown as KoaContextWithOIDC, returnAddress(ctx as unknown as KoaContextWithOIDC))
}

export function showSignedOut(ctx: KoaContextWithOIDC): void {
  showMessage(ctx, { title: 'Signed out', message: 'You are signed out. You can close this page.' })
}

function returnAddress({ oidc }: KoaContextWithOIDC): string {
  const state = oidc.session?.state as { postLogoutRedirectUri?: string; state?: string } | undefined
  if (!state?.postLogoutRedirectUri) return oidc.urlFor('end_session_success')
  const address = new URL(state.postLogoutRedirectUri)
  if (state.state !== undefined) address.searchParams.set('state', state.state)
  return address.href
}

function leave(ctx: KoaContextWithOIDC, target: string): void {
  ctx.status = 303
  ctx.redirect(target)
}
