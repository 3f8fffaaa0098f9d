import type { Context, Next } from 'koa'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { showMessage } from './page-markup.ts'

/**
 * Signs out without confirmation, and redirects to the dashboard. The provider's default is a confirmation page,
 * which protects against other sites signing users out: not needed in development.
 */
export async function endSession(ctx: KoaContextWithOIDC): Promise<void> {
  const target = returnUrl(ctx)
  await ctx.oidc.session!.destroy()
  ctx.cookies.set(ctx.oidc.provider.cookieName('session'), null)
  seeOther(ctx, target)
}

/** Redirects a browser without a session as well: the provider would respond with a form and a script. */
export async function redirectAfterSignOut(ctx: Context, next: Next): Promise<void> {
  await next()
  const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>
  if (oidc?.route !== 'end_session' || ctx.status !== 200) return
  seeOther(ctx as unknown as KoaContextWithOIDC, returnUrl(ctx as unknown as KoaContextWithOIDC))
}

export function showSignedOut(ctx: KoaContextWithOIDC): void {
  showMessage(ctx, { title: 'Signed out', message: 'You are signed out. You can close this page.' })
}

function returnUrl({ oidc }: KoaContextWithOIDC): string {
  const state = oidc.session?.state as { postLogoutRedirectUri?: string; state?: string } | undefined
  if (!state?.postLogoutRedirectUri) return oidc.urlFor('end_session_success')
  const url = new URL(state.postLogoutRedirectUri)
  if (state.state !== undefined) url.searchParams.set('state', state.state)
  return url.href
}

function seeOther(ctx: KoaContextWithOIDC, target: string): void {
  ctx.status = 303
  ctx.redirect(target)
}
