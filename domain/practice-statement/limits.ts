import type { Rules } from '../scope.ts'
import { adultEstimateYears, adultYears } from '../verification/age.policy.ts'
import { describeTime } from './describe-time.ts'
import { type Fact, operatorFact } from './practice.ts'

/** Who can't pass, and which errors can occur. No rates: the service knows no person's true age. */
export function describeLimits(rules: Rules): Record<string, Fact> {
  const { practice, tokenLifetimeMs } = rules
  const { provider } = practice
  const documents = provider
    ? {
        documents: {
          name: 'Who can’t pass',
          text: `People without a document that ${provider.name} accepts, or without a camera.`,
        },
      }
    : {}
  return {
    ...documents,
    unclear: {
      name: 'Whose age stays unknown',
      text: `People whose date of birth the provider doesn’t send, or sends in a form that isn’t understood; and those of whom it sends only an estimate below ${adultEstimateYears} years.`,
    },
    year: {
      name: 'Who passes late',
      text: `People of whom only the year of birth is known: on 31 December of the year in which they turn ${adultYears}.`,
    },
    wrongYes: {
      name: 'Errors: a yes that is wrong',
      text: 'A forged document, or another person’s, that the provider takes for genuine; a date that it reads wrongly; an estimate that is too high by more than its margin. Where a day begins after that of UTC, as in the Americas, a person counts as 18 up to 12 hours too early.',
    },
    wrongNo: {
      name: 'Errors: a yes that is missing',
      text: 'A genuine person or document that the provider declines; a date that it reads wrongly or not at all; an estimate that is too low. Where a day begins before that of UTC, as in Asia, a person counts as 18 up to 14 hours too late.',
    },
    holder: {
      name: 'Errors: another holder',
      text: 'A token says that a person was verified, not that whoever shows it is that person: the relying party binds it to an account.',
    },
    rates: {
      name: 'Rates',
      text: 'None are stated. The service doesn’t measure any, since it knows no true ages; the provider’s are the provider’s to publish.',
    },
    tests: operatorFact(rules, 'providerTests', 'Published tests of the provider'),
    level: {
      name: 'Level of assurance',
      text: 'None is claimed. Whether it is basic, standard, enhanced or strict (IEEE 2089.1-2024) is an auditor’s judgement.',
    },
    frequency: {
      name: 'Indicator: frequency of assurance',
      text: `The relying party’s choice. A token alone asks again after ${describeTime(tokenLifetimeMs)}.`,
    },
  }
}
