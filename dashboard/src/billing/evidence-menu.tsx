import { Button, Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { formatMonth } from '../components/dates.ts'
import { Icon } from '../components/icon.tsx'
import { notify } from '../components/notify.ts'
import { useConfig } from '../config.ts'
import { notifyFailure, save } from '../exports/export-button.tsx'
import { useMembership } from '../session/session-context.ts'
import { useTrpc, useTrpcClient } from '../trpc/trpc.ts'

/** Saves the signed evidence of a month since the tenant began. */
export function EvidenceMenu() {
  const { usage } = useTrpcClient()
  const { tenantId } = useMembership()
  const { months = [] } = useQuery(useTrpc().billing.get.queryOptions()).data ?? {}
  const download = useMutation({
    mutationFn: (month: string) => usage.evidence.query({ month }),
    onSuccess: ({ jws }, month) => {
      save(new Blob([jws], { type: 'application/jwt' }), `evidence-${tenantId}-${month}.jwt`)
      notify(`Evidence saved${month === months[0] ? '. The month is not over: save it again then' : ''}.`)
    },
    onError: error => notifyFailure('The evidence was not saved', error),
  })
  const icon = <Icon name="download" size={14} />
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={icon} disabled={months.length === 0 || download.isPending}>
          Evidence
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <Menu.Item component="a" href={`${useConfig().baseUrl}/evidence`} target="_blank">
          Read or verify a saved file
        </Menu.Item>
        <Menu.Label>Signed counts of a month, without persons</Menu.Label>
        {months.map(month => (
          <Menu.Item key={month} onClick={() => download.mutate(month)}>
            {formatMonth(`${month}-01`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
