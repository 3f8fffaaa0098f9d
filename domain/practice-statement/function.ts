import type { Rules } from '../scope.ts'
import { testPath } from '../tenant/test-tenant.policy.ts'
import {
  adultEstimateYears,
  adultYears,
  ageYearsMax,
  estimateMarginYears,
} from '../verification/age.policy.ts'
import { timed } from './describe-time.ts'
import { type Fact, operatorFact } from './practice.ts'

/** Who checks, and how. */
export function describeMethod(rules: Rules): Record<string, Fact> {
  const { practice, testTenants, baseUrl } = rules
  const { provider } = practice
  const tests = `Test tenants exist. Their verifications are simulated; their tokens have the issuer ${baseUrl}${testPath} and other signing keys, so that none passes as real.`
  return {
    provider: {
      name: 'Provider',
      text: provider
        ? `${provider.name}: the only one, and the same for all tenants.`
        : 'None. No identity provider is configured: every verification is simulated, and proves nothing of a person.',
    },
    ...(provider && { method: { name: 'Method', text: provider.method } }),
    presentationAttacks: operatorFact(
      rules,
      'providerPresentationAttacks',
      'What the provider does against presentation attacks',
    ),
    test: { name: 'Test tenants', text: testTenants === 'off' ? 'None.' : tests },
  }
}

/** What it says of a person. */
export function describeResult(): Record<string, Fact> {
  return {
    age: {
      name: 'What it says',
      text: `Whether a person was ${adultYears} or over on the day of the decision: yes, no or unknown. It says no other age, no name and no date of birth.`,
      years: adultYears,
    },
    approved: {
      name: 'Approved',
      text: `The status “approved” says that the check of the identity passed. A person under ${adultYears} can pass it, and is told from others by the result above alone.`,
    },
    unknown: {
      name: 'Unknown',
      text: 'Unknown is never a yes: the status has “over18”: null, and the token is not valid as a proof of age.',
    },
  }
}

/** How the age is evaluated: the words of `age.policy.ts`. */
export function describeAgeRule({ practice: { provider } }: Rules): Record<string, Fact> {
  return {
    date: {
      name: 'A date of birth',
      text: `From the ${adultYears}th birthday on it proves ${adultYears} or over, before that a minor. A person born on 29 February turns a year older on 1 March in a common year.`,
      years: adultYears,
    },
    year: {
      name: 'A year of birth alone',
      text: 'Counts as 31 December of that year.',
    },
    estimate: {
      name: 'An estimated age',
      text: `Where there is neither, and the operator’s arrangement with the provider has estimates, one from ${adultEstimateYears} years on proves ${adultYears} or over: the margin is ${estimateMarginYears} years. Of several estimates, each has to prove it. A lower one proves nothing, not even that somebody is a minor.`,
      years: adultEstimateYears,
    },
    veto: {
      name: 'Contradictions',
      text: `Another date or year of birth, anywhere in the decision, that doesn’t say the same${provider ? `, and ${provider.contests}` : ''}: the age is unknown then. An estimate counts for nothing beside any date or year of birth, or a reason that isn’t understood.`,
    },
    precedence: {
      name: 'Not understood',
      text: 'A date comes before a year, and a year before an estimate. What is present and not understood makes the age unknown; nothing weaker takes its place.',
    },
    oldest: {
      name: 'Very old',
      text: `More than ${ageYearsMax} years, or a date in the future, is unknown: such dates are placeholders.`,
      years: ageYearsMax,
    },
    day: {
      name: 'The day that counts',
      text: 'The UTC day of the provider’s decision; where it names no plausible time, that of its arrival. Where a person lives it can be the day before or after.',
    },
  }
}

/** For how long what it says is valid. */
export function describeLifetimes({ tokenLifetimeMs, sessionLifetimeMs }: Rules): Record<string, Fact> {
  return {
    token: timed(
      'Age token',
      'Expires {time} after it was issued, which its claim “iat” says, and “auth_time” when the provider decided; earlier where a tenant has its data kept for a shorter time.',
      tokenLifetimeMs,
    ),
    session: timed(
      'Verification',
      'Without a decision, one is closed {time} after its start; while the provider can’t be asked, after up to twice that.',
      sessionLifetimeMs,
    ),
    repeated: {
      name: 'When a person is asked again',
      text: 'The relying party decides: it can want a younger proof than a token that has not expired.',
    },
  }
}
