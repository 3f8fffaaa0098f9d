import type { Outcome, SessionStatus } from '../session.ts'

interface OutcomeText {
  outcome: Outcome
  label: string
  hint: string
}

/** The choices, in the order and groups of the page. */
export const outcomeGroups: { title: string; choices: OutcomeText[] }[] = [
  {
    title: 'Approved',
    choices: [
      { outcome: 'approve-adult', label: 'Approve an adult', hint: 'Identity confirmed, 34 years old.' },
      { outcome: 'approve-minor', label: 'Approve a minor', hint: 'Identity confirmed, 15 years old.' },
      {
        outcome: 'approve-unknown-age',
        label: 'Approve, age unknown',
        hint: 'Identity confirmed, but the document has no date of birth.',
      },
    ],
  },
  {
    title: 'Not approved',
    choices: [
      { outcome: 'decline', label: 'Decline', hint: 'A final decision, with a reason code.' },
      {
        outcome: 'resubmission',
        label: 'Request a resubmission',
        hint: 'The same link starts a new attempt.',
      },
      {
        outcome: 'review',
        label: 'Send to manual review',
        hint: 'You then choose the final decision here.',
      },
    ],
  },
  {
    title: 'No decision',
    choices: [
      { outcome: 'abandon', label: 'Abandon', hint: 'Started, but not completed in time.' },
      { outcome: 'expire', label: 'Expire', hint: 'Not opened in time.' },
    ],
  },
]

interface StatusText {
  title: string
  text: string
}

export const statusTexts: Record<SessionStatus, StatusText> = {
  created: { title: 'Ready to start', text: 'This check has not been started yet.' },
  started: {
    title: 'Verify your age',
    text: 'The real provider would now ask for a photo of a document and a selfie. This is a local simulator and asks for nothing: just submit.',
  },
  submitted: {
    title: 'Choose the result',
    text: 'The check was submitted. Choose the result that the identity provider reports to the service.',
  },
  review: {
    title: 'In manual review',
    text: 'The check is under review. Choose the final result.',
  },
  approved: { title: 'Approved', text: 'The identity was confirmed. No further action is needed.' },
  declined: { title: 'Declined', text: 'The identity was not confirmed. No further action is needed.' },
  resubmission_requested: {
    title: 'Please try again',
    text: 'Something was missing. The same link starts a new attempt.',
  },
  expired: {
    title: 'This check has expired',
    text: 'The link was not opened in time. No further action is needed.',
  },
  abandoned: {
    title: 'This check has ended',
    text: 'It was not completed in time. No further action is needed.',
  },
}
