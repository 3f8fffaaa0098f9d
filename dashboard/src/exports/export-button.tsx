import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { describeError, toConsoleError } from '../components/console-error.ts'
import { ForeignResponse, readJson } from '../components/foreign-response.ts'
import { formatNumber } from '../components/format-number.ts'
import { Icon } from '../components/icon.tsx'
import { notify, notifyError } from '../components/notify.ts'
import { useConfig } from '../config.ts'
import { useMembership } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'

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

/** Saves a CSV file of what the filters select. It shows how far it is, and can be cancelled. */
export function ExportButton({ name, label = 'Export CSV', filters, words = '', disabled = false }: Props) {
  const { consoleUrl } = useConfig()
  const { accessToken } = useSignIn()
  const { tenantId, tenantName } = useMembership()
  /** Exported so far, while it runs. */
  const [rows, setRows] = useState<number>()
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const download = useMutation({
    mutationFn: async (signal: AbortSignal) => {
      const headers = { authorization: `Bearer ${await accessToken()}`, 'x-tenant-id': tenantId }
      const url = `${consoleUrl}/exports/${name}.csv?${toQuery(filters)}`
      const csv = await readCsv(await fetch(url, { headers, signal, redirect: 'manual' }), setRows)
      save(csv.file, toFileName([tenantName, name, words, new Date().toISOString().slice(0, 10)]))
      return csv.rows
    },
    onSuccess: rows => notify(`${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'} exported.`),
    onError: (error, signal) => !signal.aborted && notifyFailure('The export failed', error),
    onSettled: () => setRows(undefined),
  })
  const start = () => {
    controller.current = new AbortController()
    setRows(0)
    announce('The export has started.')
    download.mutate(controller.current.signal)
  }
  const cancel = () => {
    controller.current?.abort()
    announce('The export is cancelled.')
  }
  // The second click of a double click does not cancel what the first one started.
  const toggle = (event: MouseEvent) => event.detail < 2 && (rows === undefined ? start : cancel)()
  return (
    <Group gap="xs">
      {rows !== undefined && (
        <Text size="xs" c="dimmed">
          {formatNumber(rows)} rows
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name={rows === undefined ? 'download' : 'x'} size={14} />}
        disabled={disabled}
        onClick={toggle}
      >
        {rows === undefined ? label : 'Cancel export'}
      </Button>
    </Group>
  )
}

export function notifyFailure(what: string, error: Error): void {
  const consoleError = toConsoleError(error)
  const { title, advice = '' } = describeError(consoleError)
  const { message, foreign } = consoleError
  notifyError(what, [message || `${title}.`, advice, foreign && `Response: ${foreign.message}`].join(' '))
}

function toQuery(filters: Props['filters']): URLSearchParams {
  return new URLSearchParams(
    Object.entries(filters).flatMap(([name, value = []]) => [value].flat().map(entry => [name, entry])),
  )
}

/** The day of the export stands at the end, since the data of a past day can change. */
function toFileName(words: readonly string[]): string {
  const parts = words.map(text =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, ''),
  )
  return `${parts.filter(Boolean).join('-')}.csv`
}

/**
 * A CSV file, and the number of its rows without the header, which `onRows` is called with as it grows. Throws a
 * `TRPCClientError` with the service's error, `ForeignResponse` for another response, and rejects if it is cancelled or interrupted.
 */
async function readCsv(response: Response, onRows: (rows: number) => void): Promise<{ file: Blob; rows: number }> {
  const isCsv = response.headers.get('content-type')?.startsWith('text/csv')
  if (!response.ok || !isCsv || !response.body) throw toTrpcError(await readJson(response, 'requestId'))
  let rows = -1
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      rows += chunk.filter(byte => byte === lineFeed).length
      onRows(Math.max(0, rows))
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

export function save(file: Blob, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = fileName
  link.click()
  // Browsers may begin to read it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), revokeAfterMs)
}

const revokeAfterMs = 60_000
