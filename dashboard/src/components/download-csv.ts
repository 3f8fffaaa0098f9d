import { TRPCClientError } from '@trpc/client'

export interface Progress {
  /** Without the header. */
  rows: number
  bytes: number
}

interface Download {
  url: string
  fileName: string
  headers: Record<string, string>
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/**
 * Streams a CSV file and has the browser save it. Throws a `TRPCClientError` with the service's error, and rejects if it
 * is cancelled or interrupted; then nothing is saved.
 */
export async function downloadCsv({
  url,
  fileName,
  headers,
  signal,
  onProgress,
}: Download): Promise<Progress> {
  const response = await fetch(url, { headers, signal })
  if (!response.ok || !response.body) throw toTrpcError(await response.json())
  const progress = { rows: -1, bytes: 0 }
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      progress.bytes += chunk.length
      progress.rows += chunk.filter(byte => byte === lineFeed).length
      onProgress({ ...progress, rows: Math.max(0, progress.rows) })
      controller.enqueue(chunk)
    },
  })
  // The browser keeps blobs outside the page's memory, and on disk if they are large.
  save(await new Response(response.body.pipeThrough(counter), response).blob(), fileName)
  return progress
}

/** The error envelope of an export, as that of a failed call. */
function toTrpcError({ message, ...data }: { message: string }): Error {
  return TRPCClientError.from({ error: { code: 0, message, data } })
}

const lineFeed = 0x0a

function save(file: Blob, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = fileName
  link.click()
  // Browsers may begin to read it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), revokeAfterMs)
}

const revokeAfterMs = 60_000
