import { NativeSelect } from '@mantine/core'
import { DebouncedInput } from '../components/debounced-input.tsx'
import { FilterFields } from '../components/filter-fields.tsx'
import { periodDays, periodNames, periodOptions } from '../components/periods.ts'
import { TimeFields, timeProblem } from '../components/time-fields.tsx'
import { type Member, memberName } from '../settings/members/roles.tsx'
import { findId } from '../verifications/pasted-id.ts'
import {
  type AuditFilters,
  actionLabel,
  actorKinds,
  auditActions,
  countFilters,
  today,
  type useAuditFilters,
} from './filters.ts'

/** One below the other on phones, so that none is cut off. */
const fieldFlex = { base: '1 1 100%', sm: '1 1 8rem' }

type Props = ReturnType<typeof useAuditFilters> & { members: readonly Member[] }

export function FilterBar({ filters, latest, change, clear, members }: Props) {
  const count = countFilters(filters)
  return (
    <FilterFields count={count} onClear={count > 0 ? clear : undefined}>
      <NativeSelect
        label="Actor"
        flex={fieldFlex}
        data={actorOptions(filters, members)}
        value={actorValue(filters)}
        onChange={event => change(parseActor(event.currentTarget.value))}
      />
      <NativeSelect
        label="Action"
        flex={fieldFlex}
        data={['Any action', ...new Set(auditActions.map(actionLabel))]}
        value={filters.action ? actionLabel(filters.action) : 'Any action'}
        onChange={({ currentTarget: { value } }) =>
          change({ action: auditActions.find(action => actionLabel(action) === value) })
        }
      />
      <DebouncedInput
        label="Search"
        placeholder="ID, key name, IP"
        flex={fieldFlex}
        value={filters.search ?? ''}
        onSettle={text => change({ search: readSearch(text) }, { replace: true })}
      />
      <TimeFilter filters={filters} latest={latest} change={change} />
    </FilterFields>
  )
}

/** An ID in a text that has more; the end of an ID as it is printed; or the text, such as a name or an address. */
function readSearch(text: string): string {
  const [end = ''] = text.split('…').slice(-1)
  return findId(text) ?? end.replaceAll(/^[\s"'(]+|[\s"'),.;]+$/g, '')
}

/** A period, or from one time to another. */
function TimeFilter({ filters: { period, from, to }, latest, change }: Pick<Props, 'filters' | 'latest' | 'change'>) {
  const isRange = from !== undefined || to !== undefined
  const select = (value: string) => {
    // From the days that were chosen before.
    const days = value === 'range' ? periodDays(latest().period ?? 'today', today()) : undefined
    change({ period: periodNames.find(name => name === value), from: days?.from, to: days?.to })
  }
  return (
    <>
      <NativeSelect
        label="Time"
        flex={fieldFlex}
        value={period ?? (isRange ? 'range' : '')}
        data={[{ value: '', label: 'Any time' }, ...periodOptions, { value: 'range', label: 'Between …' }]}
        onChange={event => select(event.currentTarget.value)}
      />
      {isRange && !period && (
        <TimeFields from={from} to={to} error={timeProblem({ from, to }) !== undefined} onChange={change} />
      )}
    </>
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
  const everyMember = members.map(member => ({ value: `member:${member.subject}`, label: memberName(member) }))
  const chosen = actorValue(filters)
  const isListed = [...everyKind, ...everyMember].some(({ value }) => value === chosen)
  return [
    { value: '', label: 'Anyone' },
    ...(chosen && !isListed ? [{ value: chosen, label: filters.actor ?? chosen }] : []),
    { group: 'Kinds', items: everyKind },
    { group: 'Members', items: everyMember },
  ]
}
