import { once } from 'node:events'
import { printable } from '#server/printable.ts'
import type { Terminal } from './output.ts'

/** Writes items as they are read: one per line, and as one JSON array if `isArray`. Waits while `out` is full. */
export async function printItems(
  items: AsyncIterable<unknown>,
  isArray: boolean,
  out: Terminal,
): Promise<void> {
  let separator = isArray ? '[' : ''
  for await (const item of items) {
    const hasRoom = out.write(`${separator}${printable(JSON.stringify(item))}`)
    separator = isArray ? ',' : '\n'
    if (!hasRoom) await once(out, 'drain')
  }
  if (isArray) out.write(separator === '[' ? '[]\n' : ']\n')
  else if (separator !== '') out.write('\n')
}
