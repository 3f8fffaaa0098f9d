import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { formatMonth } from '../components/dates.ts'
import { Icon } from '../components/icon.tsx'
import { notify } from '../components/notify.ts'
import { notifyFailure, save } from '../exports/export-button.tsx'
import { useMembership } from '../session/session-context.ts'
import { useTrpcClient } from '../trpc/trpc.ts'

/** Saves the signed evidence of one of the months, as JSON. `firstDays` name them. */
export function EvidenceMenu({ firstDays }: { firstDays: readonly string[] }) {
  const { usage } = useTrpcClient()
  const { tenantId } = useMembership()
  const download = useMutation({
    mutationFn: (month: string) => usage.evidence.query({ month }),
    onSuccess: evidence => {
      const text = `${JSON.stringify(evidence, null, 2)}\n`
      save(new Blob([text], { type: 'application/json' }), `evidence-${tenantId}-${evidence.month}.json`)
      notify(`Evidence saved${evidence.complete ? '' : '. The month is not over: save it again then'}.`)
    },
    onError: error => notifyFailure('The evidence was not saved', error),
  })
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="download" size={14} />}
          disabled={firstDays.length === 0 || download.isPending}
        >
          Evidence
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Signed counts of a month, without persons</Menu.Label>
        {firstDays.map(firstDay => (
          <Menu.Item key={firstDay} onClick={() => download.mutate(firstDay.slice(0, 7))}>
            {formatMonth(firstDay)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
