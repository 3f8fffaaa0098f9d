import { Badge } from '../badge/badge.tsx'
import { type Status, statuses } from './status.ts'

export function StatusBadge({ status }: { status: Status }) {
  const { label, tone, meaning } = statuses[status]
  return (
    <Badge tone={tone} title={meaning}>
      {label}
    </Badge>
  )
}
