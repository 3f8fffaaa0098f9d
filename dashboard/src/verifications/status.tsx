import { Badge, type Tone } from '../components/badge.tsx'
import type { Outputs } from '../trpc/trpc.ts'

export type Status = Outputs['verifications']['list']['items'][number]['status']

interface StatusDescription {
  label: string
  tone: Tone
  description: string
}

export const statuses: Record<Status, StatusDescription> = {
  pending: {
    label: 'Pending',
    tone: 'neutral',
    description: "Created. The user hasn't opened the check yet.",
  },
  started: { label: 'Started', tone: 'waiting', description: 'The user has opened the check.' },
  submitted: {
    label: 'Submitted',
    tone: 'waiting',
    description: 'The identity provider is reviewing the documents.',
  },
  approved: { label: 'Approved', tone: 'approved', description: 'The verification passed.' },
  denied: { label: 'Denied', tone: 'denied', description: 'The verification failed: documents rejected.' },
  resubmission: {
    label: 'Resubmission',
    tone: 'attention',
    description: 'The identity provider asked the user to submit the documents again.',
  },
  rejected: { label: 'Rejected', tone: 'rejected', description: 'The verification ended without documents.' },
}

export const statusNames = Object.keys(statuses) as Status[]

export function isStatus(text: string | null): text is Status {
  return text !== null && text in statuses
}

export function StatusBadge({ status }: { status: Status }) {
  const { label, tone } = statuses[status]
  return <Badge tone={tone}>{label}</Badge>
}
