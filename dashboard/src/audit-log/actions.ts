import type { Outputs } from '../trpc/trpc.ts'

export type AuditAction = Outputs['audit']['actions']['items'][number]

/** Every action in words, by noun and verb. */
const labels: Record<AuditAction, string> = {
  'api_key.create': 'Created an API key',
  'api_key.replace': 'Replaced an API key',
  'api_key.revoke': 'Revoked an API key',
  'audit.export': 'Exported the audit log',
  'demo.seed': 'Added sample data',
  'invitation.accept': 'Accepted an invitation',
  'invitation.create': 'Invited a member',
  'invitation.revoke': 'Revoked an invitation',
  'member.add': 'Added a member',
  'member.leave': 'Left the tenant',
  'member.remove': 'Removed a member',
  'member.set_role': "Changed a member's role",
  'settings.set_return_url': 'Changed the return URL',
  'settings.set_webhook_url': 'Changed the webhook URL',
  'tenant.create': 'Created the tenant',
  'tenant.disable': 'Disabled the tenant',
  'tenant.enable': 'Enabled the tenant',
  'tenant.provision': 'Created the tenant',
  'tenant.rename': 'Renamed the tenant',
  'tenant.set_plan': 'Changed the plan',
  'tenant.set_subscription': 'Changed the subscription',
  'token.revoke': 'Revoked a token',
  'usage.export': 'Exported usage',
  'verification.erase': 'Erased a verification',
  'verification.export': 'Exported verifications',
  'webhook_secret.reveal': 'Revealed the signing secret',
  'webhook_secret.rotate': 'Rotated the signing secret',
}

export function isAction(text: string): text is AuditAction {
  return text in labels
}

/** An action of a newer version of the service is shown by its name with spaces. */
export function actionLabel(action: string): string {
  return isAction(action) ? labels[action] : action.replace(/[._]/g, ' ')
}
