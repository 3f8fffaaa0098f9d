import { Button, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isReversed, TimeFields } from '../components/time-fields.tsx'
import { type Member, memberName } from '../settings/members/roles.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { type AuditFilters, actionLabel, actorKinds, isFiltered, type useAuditFilters } from './filters.ts'

interface Props extends ReturnType<typeof useAuditFilters> {
  members: readonly Member[]
}

export function FilterBar({ filters, change, clear, members }: Props) {
  const { data: actions } = useQuery(
    useTrpc().audit.actions.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  )
  return (
    <search>
      <Group align="flex-start" gap="sm">
        <NativeSelect
          label="Actor"
          flex="2 1 12rem"
          data={actorOptions(filters, members)}
          value={actorValue(filters)}
          onChange={event => change(parseActor(event.currentTarget.value))}
        />
        <NativeSelect
          label="Action"
          flex="2 1 12rem"
          data={['Any action', ...new Set((actions?.items ?? []).map(actionLabel))]}
          value={filters.action ? actionLabel(filters.action) : 'Any action'}
          onChange={({ currentTarget: { value } }) =>
            change({ action: actions?.items.find(action => actionLabel(action) === value) })
          }
        />
        {/* Together, so that none of them is alone on a line. */}
        <Group flex="2 1 26.75rem" gap="sm" miw={0}>
          <TimeFields from={filters.from} to={filters.to} error={isReversed(filters)} onChange={change} />
        </Group>
        {isFiltered(filters) && (
          <Button variant="default" style={{ alignSelf: 'end' }} onClick={clear}>
            Clear
          </Button>
        )}
      </Group>
    </search>
  )
}

/** One option is one actor, or every actor of a kind: `member:` and a subject, or `operator:`. Empty for anyone. */
function actorValue({ actor, actorKind }: AuditFilters): string {
  return actor || actorKind ? `${actorKind ?? ''}:${actor ?? ''}` : ''
}

function parseActor(value: string): Partial<AuditFilters> {
  const [kind = '', ...actor] = value.split(':')
  return { actor: actor.join(':'), actorKind: kind as AuditFilters['actorKind'] }
}

function actorOptions(filters: AuditFilters, members: readonly Member[]) {
  const everyKind = Object.entries(actorKinds).map(([kind, label]) => ({ value: `${kind}:`, label }))
  const everyMember = members.map(member => ({
    value: `member:${member.subject}`,
    label: memberName(member),
  }))
  const chosen = actorValue(filters)
  const isListed = [...everyKind, ...everyMember].some(({ value }) => value === chosen)
  return [
    { value: '', label: 'Anyone' },
    ...(chosen && !isListed ? [{ value: chosen, label: filters.actor ?? chosen }] : []),
    { group: 'Kinds', items: everyKind },
    { group: 'Members', items: everyMember },
  ]
}
