import { Progress, Text } from '@mantine/core'
import { formatNumber } from '../components/format-number.ts'

/** A number of requests with a bar, as long as it is compared to `most`. */
export function RequestBar({ count, most }: { count: number; most: number }) {
  return (
    <div>
      <Text inherit>{formatNumber(count)}</Text>
      <Progress value={most > 0 ? (100 * count) / most : 0} size="sm" aria-hidden />
    </div>
  )
}
