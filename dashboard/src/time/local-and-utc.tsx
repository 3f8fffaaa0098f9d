import { formatLocal, formatUtc } from './format-time.ts'

/** A moment that matters in both: "21 Nov 2026, 22:22 (2026-11-21 21:22:46 UTC)". */
export function LocalAndUtc({ at }: { at: string }) {
  return (
    <time dateTime={at}>
      {formatLocal(at)} ({formatUtc(at).replace(/\.\d+ UTC$/, ' UTC')})
    </time>
  )
}
