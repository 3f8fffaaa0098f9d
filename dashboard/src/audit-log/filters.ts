import { useSearchParams } from 'react-router'
import { toDay, toInstants } from '../components/dates.ts'
import { type PeriodName, periodDays, periodNames } from '../components/periods.ts'
import { serviceTime } from '../components/service-clock.ts'
import type { Outputs } from '../trpc/trpc.ts'

export type AuditEvent = Outputs['audit']['list']['items'][number]
export type ActorKind = AuditEvent['actorKind']

/** The name of a member; undefined for one who left. */
export type MemberName = (subject: string) => string | undefined

export interface AuditFilters {
  /** A member's subject or the ID of an API key. */
  actor: string | undefined
  actorKind: ActorKind | undefined
  action: AuditAction | undefined
  /** The ID of an event or of what it changed, or its end; the name of a key, or an IP address. */
  search: string | undefined
  /** Instead of `from` and `to`. */
  period: PeriodName | undefined
  /** Days in the user's time zone, YYYY-MM-DD, or minutes, YYYY-MM-DDTHH:mm, both included. */
  from: string | undefined
  to: string | undefined
}

export const actorKinds: Record<ActorKind, string> = {
  member: 'Member',
  api_key: 'API key',
  operator: 'Operator',
  service: 'Service',
}
const actorKindNames = Object.keys(actorKinds) as ActorKind[]

/** The filters in the page's URL. */
export function useAuditFilters() {
  const [params, setParams] = useSearchParams()
  /** With every earlier change, also one that is not drawn yet. */
  const latest = () => parseFilters(new URLSearchParams(window.location.search))
  /** Returns to the first page. */
  const change = (changes: Partial<AuditFilters>, options?: { replace: boolean }) =>
    setParams(filterQuery({ ...latest(), ...changes }), options)
  return { filters: parseFilters(params), latest, change, clear: () => setParams({}) }
}

/** Invalid values are ignored. */
function parseFilters(params: URLSearchParams): AuditFilters {
  return {
    actor: params.get('actor') || undefined,
    actorKind: actorKindNames.find(kind => kind === params.get('actorKind')),
    action: auditActions.find(action => action === params.get('action')),
    search: params.get('search') || undefined,
    period: periodNames.find(name => name === params.get('period')),
    from: params.get('from') || undefined,
    to: params.get('to') || undefined,
  }
}

/** The query of the log's URL with these filters. */
function filterQuery(filters: AuditFilters): string {
  return String(new URLSearchParams(Object.entries(filters).filter(([, value]) => value)))
}

export const today = () => toDay(new Date(serviceTime()), 'local')

/** An actor or a time counts once. */
export function countFilters({ actor, actorKind, action, search, period, from, to }: AuditFilters): number {
  return [actor ?? actorKind, action, search, period ?? from ?? to].filter(Boolean).length
}

/** The procedure's input: all actions with the same words, up to the end of the last day or minute. */
export function filterInput({ action, period, ...others }: AuditFilters) {
  const actions = action && auditActions.filter(other => labels[other] === labels[action])
  return { ...others, action: actions, ...toInstants(period ? periodDays(period, today()) : others) }
}

type AuditAction = Outputs['audit']['actions']['items'][number]

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
  'tenant.set_retention': 'Changed the retention',
  'tenant.set_subscription': 'Changed the subscription',
  'token.revoke': 'Revoked a token',
  'usage.export': 'Exported usage',
  'verification.delete_session': 'Deleted a session at the provider',
  'verification.erase': 'Erased a verification',
  'verification.export': 'Exported verifications',
  'webhook_secret.reveal': 'Revealed the signing secret',
  'webhook_secret.rotate': 'Rotated the signing secret',
}

export const auditActions = Object.keys(labels) as AuditAction[]

/** An action of a newer version of the service is shown by its name with spaces. */
export function actionLabel(action: string): string {
  return labels[action as AuditAction] ?? action.replace(/[._]/g, ' ')
}
