import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTrpc } from '../trpc/trpc.ts'

interface Props {
  reasonCode: string | undefined
  onChange: (reasonCode: string | undefined) => void
}

/** A reason that the provider documents, found by its words or its code; a link can name any other, too. */
export function ReasonFilter({ reasonCode, onChange }: Props) {
  const { data } = useQuery(useTrpc().verifications.reasons.queryOptions(undefined, { staleTime: Infinity }))
  const known = data?.items ?? []
  const isKnown = known.some(reason => reason.reasonCode === reasonCode)
  return (
    <Select
      label="Reason"
      placeholder="Any"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any reason' }}
      nothingFoundMessage="No such reason"
      withScrollArea={false}
      styles={{ options: { maxHeight: '16rem', overflowY: 'auto' } }}
      comboboxProps={{ withinPortal: false, width: 340, position: 'bottom-start' }}
      data={[
        ...(reasonCode && !isKnown ? [{ value: reasonCode, label: `Reason ${reasonCode}` }] : []),
        ...known.map(reason => ({
          value: reason.reasonCode,
          label: `${reason.description} (${reason.reasonCode})`,
        })),
      ]}
      value={reasonCode ?? null}
      onChange={value => onChange(value ?? undefined)}
    />
  )
}
