import { underAgeReasons } from '../verification/age.policy.ts'
import type { ProviderPractice } from './practice.ts'

const { first, last } = underAgeReasons

export const veriffPractice: ProviderPractice = {
  name: 'Veriff',
  method:
    'A check of the identity, on a page that the provider hosts: it takes pictures of an identity document and of the face, ' +
    'compares them, and decides. Its decision arrives signed, with the name, the date of birth and data of the document, as the ' +
    'operator has arranged with it.',
  contests: `a reason code of the provider from ${first} to ${last} (under age)`,
}
