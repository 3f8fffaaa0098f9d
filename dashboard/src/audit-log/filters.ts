import { useSearchParams } from 'react-router'
import { midnight, parseDay } from '../components/local-day.ts'
import type { Outputs } from '../trpc/trpc.ts'
import { type AuditAction, isAction } from './actions.ts'

export type AuditEvent = Outputs['audit']['list']['items'][number]
export type ActorKind = AuditEvent['actorKind']

export interface AuditFilters {
  /** A member's subject or the ID of an API key. */
  actor: string | undefined
  actorKind: ActorKind | undefined
  action: AuditAction | undefined
  /** Days in the user's time zone, YYYY-MM-DD, both included. */
  from: string | undefined
  to: string | undefined
}

export const actorKinds: Record<ActorKind, string> = {
  member: 'Member',
  api_key: 'API key',
  operator: 'Operator',
  service: 'Service',
}

/** The filters in the page's URL. Invalid values are ignored. */
export function useAuditFilters() {
  const [params, setParams] = useSearchParams()
  const kind = params.get('actorKind')
  const action = params.get('action')
  const filters: AuditFilters = {
    actor: params.get('actor') || undefined,
    actorKind: kind !== null && isActorKind(kind) ? kind : undefined,
    action: action !== null && isAction(action) ? action : undefined,
    from: parseDay(params.get('from')),
    to: parseDay(params.get('to')),
  }
  /** Returns to the first page. */
  const change = (changes: Partial<AuditFilters>) => {
    const changed = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...filters, ...changes }))
      if (value) changed.set(name, value)
    setParams(changed)
  }
  return { filters, change, clear: () => setParams({}) }
}

export function isFiltered(filters: AuditFilters): boolean {
  return Object.values(filters).some(value => value !== undefined)
}

/** Whether the last day is before the first. */
export function isReversed({ from, to }: AuditFilters): boolean {
  return from !== undefined && to !== undefined && from > to
}

/** The procedure's input: days become times, from the first midnight to the one after the last day. */
export function filterInput({ from, to, ...others }: AuditFilters) {
  return { ...others, from: from && midnight(from), to: to && midnight(to, 1) }
}

function isActorKind(text: string): text is ActorKind {
  return text in actorKinds
}
