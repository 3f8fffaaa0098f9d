/** An action of the audit log, such as `api_key.create`, in words; one that is not known here as it is. */
export function actionInWords(action: string): string {
  return words[action] ?? action.replace(/[._]/g, ' ')
}

const words: Record<string, string> = {
  'api_key.create': 'Created an API key',
  'api_key.revoke': 'Revoked an API key',
  'member.add': 'Added a member',
  'member.remove': 'Removed a member',
  'member.set_role': "Changed a member's role",
  'settings.set_return_url': 'Changed the return address',
  'settings.set_webhook_url': 'Changed the webhook URL',
  'tenant.create': 'Created the tenant',
  'tenant.disable': 'Disabled the tenant',
  'tenant.enable': 'Enabled the tenant',
  'tenant.provision': 'Created the tenant',
  'tenant.rename': 'Renamed the tenant',
  'tenant.set_plan': 'Changed the plan',
  'tenant.set_subscription': 'Changed the subscription',
  'token.revoke': 'Revoked a token',
  'webhook_secret.reveal': 'Revealed the signing secret',
  'webhook_secret.rotate': 'Rotated the signing secret',
}
