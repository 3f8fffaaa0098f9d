import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { showMessage } from './show-message.ts'

/** A refused request that cannot be sent back to the dashboard, such as one with an unknown return address. */
export function showError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  const reason = error_description ? `${error_description} (${error})` : error
  showMessage(ctx, { title: 'You cannot be signed in', message: `The request was refused: ${reason}.` })
}
