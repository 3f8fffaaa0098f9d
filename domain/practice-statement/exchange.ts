import type { Fact } from './practice.ts'

/** What the service sends the provider: the fields of its calls, in `domain/ports.ts`. */
export const dataSent: Record<string, Fact> = {
  start: {
    name: 'At a start',
    text: 'The ID of the verification, and an address of the service with this ID, if the relying party wants people to come back.',
  },
  session: {
    name: 'To ask for a decision, or for a deletion',
    text: 'The provider’s own ID of the session.',
  },
  never: {
    name: 'Never',
    text: 'Who the relying party is, its addresses, and what it may say of a person: an IP address and a browser.',
  },
  person: {
    name: 'By the person, not by the service',
    text: 'What a person shows, enters and does on the provider’s page. Their browser can name the site that they come from, unless its page with the link forbids that.',
  },
}

/** What the provider sends the service, and what becomes of it. */
export const dataReceived: Record<string, Fact> = {
  kept: {
    name: 'Kept',
    text: 'IDs of the session and of its attempts, status, codes and reason codes, score, and the times of what happened.',
  },
  age: {
    name: 'Evaluated, then dropped',
    text: 'Dates and years of birth, and estimated ages.',
  },
  dropped: {
    name: 'Dropped',
    text: 'What else the operator’s arrangement with the provider has: such as names, sex, nationality, addresses, numbers and other data of the document, the IP address of the device, comments, and labels and scores of risks.',
  },
  never: {
    name: 'Never asked for',
    text: 'Pictures and videos.',
  },
}
