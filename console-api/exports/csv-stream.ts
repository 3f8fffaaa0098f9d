import { type CsvField, csvRecord } from './csv.ts'

/** A record by the names of its columns; other properties are left out. */
export type CsvRecord = Readonly<Record<string, CsvField>>

/** Of a chunk, in characters. The next one is read when the client has taken the one before. */
const chunkLengthMin = 16 * 1024

export interface CsvStreamOptions {
  columns: readonly string[]
  records: AsyncGenerator<CsvRecord>
  /** Called when nothing is read any more, once or more often. */
  onEnd(): void
  /** Called for an error that ends the stream. */
  onError(error: unknown): void
}

/** A CSV file with a header line. When it is cancelled, reading ends. */
export function csvStream({
  columns,
  records,
  onEnd,
  onError,
}: CsvStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isCancelled = false
  async function nextChunk(): Promise<{ text: string; done: boolean }> {
    let text = ''
    while (text.length < chunkLengthMin && !isCancelled) {
      const { done, value } = await records.next()
      if (done) return { text, done }
      text += csvRecord(columns.map(column => value[column] ?? null))
    }
    return { text, done: false }
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(csvRecord(columns)))
      },
      async pull(controller) {
        try {
          const { text, done } = await nextChunk()
          if (isCancelled) return
          if (text) controller.enqueue(encoder.encode(text))
          if (!done) return
          onEnd()
          controller.close()
        } catch (error) {
          onEnd()
          onError(error)
          throw error
        }
      },
      async cancel() {
        isCancelled = true
        onEnd()
        await records.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
