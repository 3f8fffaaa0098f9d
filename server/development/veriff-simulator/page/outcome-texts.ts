import type { Outcome } from '../session/outcome.ts'
import type { SessionStatus } from '../session/session.ts'

interface OutcomeText {
  outcome: Outcome
  label: string
  hint: string
}

/** The choices, in groups, as the page shows them. */
export const outcomeGroups: { title: string; choices: OutcomeText[] }[] = [
  {
    title: 'Approved',
    choices: [
      { outcome: 'approve-adult', label: 'Approve an adult', hint: 'Identity confirmed, 34 years old.' },
      { outcome: 'approve-minor', label: 'Approve a minor', hint: 'Identity confirmed, 15 years old.' },
      {
        outcome: 'approve-unknown-age',
        label: 'Approve, age unknown',
        hint: 'Identity confirmed, but the document gave no date of birth.',
      },
    ],
  },
  {
    title: 'Not approved',
    choices: [
      { outcome: 'decline', label: 'Decline', hint: 'For good, with a reason code.' },
      { outcome: 'resubmission', label: 'Ask to try again', hint: 'The same link starts a new attempt.' },
      {
        outcome: 'review',
        label: 'Send to manual review',
        hint: 'The final decision is made here afterwards.',
      },
    ],
  },
  {
    title: 'No decision',
    choices: [
      { outcome: 'abandon', label: 'Abandon', hint: 'Started, but not finished in time.' },
      { outcome: 'expire', label: 'Expire', hint: 'The link was not used in time.' },
    ],
  },
]

interface StatusText {
  title: string
  text: string
}

export const statusTexts: Record<SessionStatus, StatusText> = {
  created: { title: 'Ready when you are', text: 'This check was not opened yet.' },
  started: {
    title: 'Let’s check your age',
    text: 'The real provider would ask for a document and a selfie now. This is a local stand-in: nothing is asked for, just submit.',
  },
  submitted: {
    title: 'Choose the result',
    text: 'Everything was submitted. Decide what the identity provider reports to the service.',
  },
  review: {
    title: 'In manual review',
    text: 'Someone is having a second look. Choose the final result when it is time.',
  },
  approved: { title: 'Approved', text: 'The identity was confirmed. There is nothing left to do here.' },
  declined: { title: 'Declined', text: 'The identity was not confirmed. There is nothing left to do here.' },
  resubmission_requested: {
    title: 'Please try once more',
    text: 'Something was missing. The same link starts a new attempt.',
  },
  expired: {
    title: 'This check has expired',
    text: 'It was not used in time. There is nothing left to do here.',
  },
  abandoned: {
    title: 'This check has ended',
    text: 'It was left before it was finished. There is nothing left to do here.',
  },
}
