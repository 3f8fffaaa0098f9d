import type { Tone } from '../components/badge.tsx'
import type { Outputs } from '../trpc/trpc.ts'

export type Status = Outputs['verifications']['list']['items'][number]['status']

/** `meaning` is a few words beside the label. */
export const statuses: Record<Status, { label: string; tone: Tone; meaning: string }> = {
  pending: { label: 'Pending', tone: 'neutral', meaning: 'Not opened yet' },
  started: { label: 'Started', tone: 'waiting', meaning: 'Opened by the user' },
  submitted: { label: 'Submitted', tone: 'waiting', meaning: 'Under review' },
  resubmission: { label: 'Resubmission', tone: 'attention', meaning: 'Must be submitted again' },
  approved: { label: 'Approved', tone: 'approved', meaning: 'Check passed' },
  denied: { label: 'Denied', tone: 'denied', meaning: 'Check failed' },
  rejected: { label: 'Rejected', tone: 'rejected', meaning: 'Expired or abandoned' },
}

export const statusNames = Object.keys(statuses) as Status[]

export function isStatus(text: string): text is Status {
  return Object.hasOwn(statuses, text)
}
