import type { Context, Next } from 'koa'
import type { KoaContextWithOIDC } from 'oidc-provider'

/**
 * Signs out without confirmation, and redirects to the dashboard. The provider's default is a confirmation page,
 * which protects against other sites signing users out: not needed in development.
 */
export async function endSession(ctx: Context, next: Next): Promise<void> {
  await next()
  const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>
  if (oidc?.route !== 'end_session' || ctx.status !== 200) return
  const target = returnUrl(oidc)
  await oidc.session!.destroy()
  ctx.cookies.set(oidc.provider.cookieName('session'), null, { overwrite: true })
  ctx.status = 303
  ctx.redirect(target)
}

function returnUrl(oidc: KoaContextWithOIDC['oidc']): string {
  const state = oidc.session?.state as { postLogoutRedirectUri?: string; state?: string } | undefined
  if (!state?.postLogoutRedirectUri) return oidc.urlFor('end_session_success')
  const url = new URL(state.postLogoutRedirectUri)
  if (state.state !== undefined) url.searchParams.set('state', state.state)
  return url.href
}
