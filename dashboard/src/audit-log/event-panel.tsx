import { Group, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyBox } from '../components/copy-box.tsx'
import { CopyableText } from '../components/copyable-text.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { useParameterPanel } from '../components/parameter-panel.tsx'
import { QueryState } from '../components/query-state.tsx'
import { Neighbours, SidePanel } from '../components/side-panel.tsx'
import { NoValue, Timestamp } from '../components/timestamp.tsx'
import { ReceiptButton } from '../exports/receipt-button.tsx'
import { TenantLink } from '../session/links.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { AuditChanges, type EventProps } from './audit-changes.tsx'
import { Actor, AuditSentence } from './audit-table.tsx'
import type { AuditEvent, MemberName } from './filters.ts'

/** The event that the page's URL names, with all that is known of it. `events` are those of the table beside it. */
export function EventPanel({ events, memberName }: { events: readonly AuditEvent[]; memberName: MemberName }) {
  const { id: auditEventId, close, show } = useParameterPanel('event')
  const listed = events.find(event => event.auditEventId === auditEventId)
  const query = useQuery(
    useTrpc().audit.get.queryOptions(
      { auditEventId: auditEventId ?? '' },
      // It never changes.
      { enabled: auditEventId !== undefined, staleTime: Infinity, ...(listed && { initialData: listed }) },
    ),
  )
  const ids = events.map(event => event.auditEventId)
  return (
    <SidePanel opened={auditEventId !== undefined} onClose={close} title="Audit event">
      {auditEventId && (
        <Stack>
          <Neighbours ids={ids} shown={auditEventId} onShow={show} />
          <QueryState query={query} loading={<Skeleton height={400} />}>
            {event => <Facts event={event} memberName={memberName} />}
          </QueryState>
        </Stack>
      )}
    </SidePanel>
  )
}

function Facts({ event, memberName }: EventProps) {
  const { auditEventId, at, actor, actorKind, actorIssuer, actorIp, action, target } = event
  const isNamed = actor !== actorKind
  const changes = AuditChanges({ event, memberName })
  return (
    <>
      <Title order={3} style={{ overflowWrap: 'anywhere' }}>
        <AuditSentence event={event} memberName={memberName} />
      </Title>
      <DescriptionList
        items={[
          ...(changes ? [{ name: 'Changes', value: changes }] : []),
          { name: 'Time', value: <Timestamp at={at} seconds /> },
          { name: 'Actor', value: <Actor event={event} /> },
          ...(isNamed ? [{ name: 'Actor ID', value: <CopyableText value={actor} label="actor ID" /> }] : []),
          ...(actorIssuer ? [{ name: 'Signed in at', value: actorIssuer }] : []),
          {
            name: 'IP address',
            value: actorIp ? <Searchable value={actorIp} label="IP address" /> : <NoValue>Not recorded</NoValue>,
          },
          { name: 'Action', value: <CopyableText value={action} label="action" /> },
          ...(target === null ? [] : [{ name: 'Target ID', value: <Searchable value={target} label="target ID" /> }]),
          { name: 'Event ID', value: <CopyableText value={auditEventId} label="event ID" /> },
        ]}
      />
      {target && /^verification\.(erase|delete_session)$/.test(action) && <ReceiptButton verificationId={target} />}
      <CopyBox value={JSON.stringify(event, null, 2)} label="event as JSON" isCode />
    </>
  )
}

function Searchable({ value, label }: { value: string; label: string }) {
  return (
    <Group gap="0 0.75rem">
      <CopyableText value={value} label={label} />
      <TenantLink to={`/audit-log?${new URLSearchParams({ search: value })}`}>Its other events</TenantLink>
    </Group>
  )
}
