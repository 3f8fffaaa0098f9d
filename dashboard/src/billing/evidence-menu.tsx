import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatMonth } from '../components/dates.ts'
import { Icon } from '../components/icon.tsx'
import { useConfig } from '../config.ts'
import { useSignedFile } from '../exports/save.ts'
import { useTrpc, useTrpcClient } from '../trpc/trpc.ts'

/** Saves the signed evidence of a month since the tenant began. */
export function EvidenceMenu() {
  const { usage } = useTrpcClient()
  const { months = [] } = useQuery(useTrpc().billing.get.queryOptions()).data ?? {}
  const { mutate, isPending } = useSignedFile()
  const download = (month: string) =>
    mutate({
      words: ['evidence', month],
      read: async () => (await usage.evidence.query({ month })).jws,
      saved: `Evidence saved${month === months[0] ? '. The month is not over: save it again then' : ''}.`,
    })
  const icon = <Icon name="download" size={14} />
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={icon} disabled={months.length === 0 || isPending}>
          Evidence
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <Menu.Item component="a" href={`${useConfig().baseUrl}/evidence`} target="_blank">
          Read or verify a saved file
        </Menu.Item>
        <Menu.Label>Signed counts of a month, without persons</Menu.Label>
        {months.map(month => (
          <Menu.Item key={month} onClick={() => download(month)}>
            {formatMonth(`${month}-01`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
