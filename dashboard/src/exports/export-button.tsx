import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { ForeignResponse, readJson } from '../components/foreign-response.ts'
import { formatNumber } from '../components/format-number.ts'
import { Icon } from '../components/icon.tsx'
import { notify } from '../components/notify.ts'
import { useConfig } from '../config.ts'
import { useMembership } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { notifyFailure, save } from './save.ts'

interface Props {
  /** Which export of the console: `/console/exports/{name}.csv`. */
  name: 'verifications' | 'usage' | 'denials' | 'audit'
  /** Its filters. A list is sent as a repeated parameter. */
  filters: Record<string, string | readonly string[] | undefined>
  label?: string
  /** The filters in the name of the file. */
  words?: string
  disabled?: boolean
}

/** Saves a CSV file of what the filters select. */
export function ExportButton({ name, label = 'Export CSV', filters, words = '', disabled = false }: Props) {
  const { consoleUrl } = useConfig()
  const { accessToken } = useSignIn()
  const { tenantId, tenantName } = useMembership()
  const download = useMutation({
    mutationFn: async () => {
      const headers = { authorization: `Bearer ${await accessToken()}`, 'x-tenant-id': tenantId }
      const url = `${consoleUrl}/exports/${name}.csv?${toQuery(filters)}`
      const csv = await readCsv(await fetch(url, { headers, redirect: 'manual' }))
      save(csv.file, [tenantName, name, words, new Date().toISOString().slice(0, 10)], 'csv')
      return csv.rows
    },
    onSuccess: rows => notify(`${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'} exported.`),
    onError: error => notifyFailure('The export failed', error),
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" size={14} />}
      disabled={disabled}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {label}
    </Button>
  )
}

function toQuery(filters: Props['filters']): URLSearchParams {
  return new URLSearchParams(
    Object.entries(filters).flatMap(([name, value = []]) => [value].flat().map(entry => [name, entry])),
  )
}

/**
 * A CSV file, and the number of its rows without the header. Throws a `TRPCClientError` with the service's error,
 * `ForeignResponse` for another response, and rejects if it is interrupted.
 */
async function readCsv(response: Response): Promise<{ file: Blob; rows: number }> {
  const isCsv = response.headers.get('content-type')?.startsWith('text/csv')
  if (!response.ok || !isCsv || !response.body) throw toTrpcError(await readJson(response, 'requestId'))
  let rows = -1
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      rows += chunk.filter(byte => byte === lineFeed).length
      controller.enqueue(chunk)
    },
  })
  // The browser keeps blobs outside the page's memory, and on disk if they are large.
  const file = await new Response(response.body.pipeThrough(counter), response).blob()
  // The service's begins with the names of its columns.
  if (rows < 0) throw new ForeignResponse(response)
  return { file: new Blob([byteOrderMark, file], { type: file.type }), rows }
}

/** The error envelope of an export, as that of a failed call. */
function toTrpcError(envelope: unknown): Error {
  const { message, ...data } = envelope as { message: string }
  return TRPCClientError.from({ error: { code: 0, message, data } })
}

const lineFeed = 0x0a

/** Without it, Excel takes a file for one in the code page of the country. Programs get the file without it. */
const byteOrderMark = '\ufeff'
