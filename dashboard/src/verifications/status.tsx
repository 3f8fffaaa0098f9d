import type { Tone } from '../badge/badge.tsx'
import type { Outputs } from '../console/console.ts'

export type Status = Outputs['verifications']['list']['items'][number]['status']

interface StatusWords {
  label: string

  tone: Tone
  meaning: string
}

export const statuses: Record<Status, StatusWords> = {
  pending: { label: 'Pending', tone: 'neutral', meaning: 'Created; the user has not opened the check.' },
  started: { label: 'Started', tone: 'waiting', meaning: 'The user has opened the check.' },
  submitted: { label: 'Submitted', tone: 'waiting', meaning: 'The provider is judging the documents.' },
  approved: { label: 'Approved', tone: 'approved', meaning: 'The verification passed.' },
  denied: { label: 'Denied', tone: 'denied', meaning: 'The verification failed: documents rejected.' },
  resubmission: {
    label: 'Resubmission',
    tone: 'attention',
    meaning: 'The provider asked the user for the documents again.',
  },
  rejected: { label: 'Rejected', tone: 'rejected', meaning: 'Ended without documents to judge.' },
}

export const statusNames = Object.keys(statuses) as Status[]

export function isStatus(text: string | null): text is Status {
  return text !== null && text in statuses
}
