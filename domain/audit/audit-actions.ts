/** Everything that is recorded in a tenant's audit log: noun and verb. */
export const auditActions = [
  'api_key.create',
  'api_key.replace',
  'api_key.revoke',
  'audit.export',
  'demo.seed',
  'invitation.accept',
  'invitation.create',
  'invitation.revoke',
  'member.add',
  'member.leave',
  'member.remove',
  'member.set_role',
  'settings.set_return_url',
  'settings.set_webhook_url',
  'tenant.create',
  'tenant.disable',
  'tenant.enable',
  'tenant.provision',
  'tenant.rename',
  'tenant.set_plan',
  'tenant.set_retention',
  'tenant.set_subscription',
  'token.revoke',
  'usage.export',
  'verification.delete_session',
  'verification.erase',
  'verification.export',
  'webhook_secret.reveal',
  'webhook_secret.rotate',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Whether somebody only read what the action names. */
export function isReading(action: AuditAction): boolean {
  return /\.(export|reveal)$/.test(action)
}

/** What is recorded in the audit log of the whole service. */
export type ServiceAuditAction = 'encryption_key.rotate' | 'plan.set' | 'signing_key.rotate' | 'tenant.delete'
