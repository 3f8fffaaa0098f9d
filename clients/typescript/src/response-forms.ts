import { isRecord } from './json.ts'

/** The fields that a response has, each with what it is. Whatever lacks one is no response of the service. */
export type ResponseForm = Readonly<Record<string, (value: unknown) => boolean>>

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isNumber = (value: unknown) => typeof value === 'number'
const isBoolean = (value: unknown) => typeof value === 'boolean'
const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value)

export const startedForm: ResponseForm = { verificationId: isText, sessionUrl: isText, status: isText }

const statusForm: ResponseForm = {
  verificationId: isText,
  status: isText,
  confidence: orNull(isNumber),
  createdAt: isText,
  completedAt: orNull(isText),
}

/** The status of this verification, and of no other one, which a cache or a shared connection can have mixed up with it. */
export function statusFormOf(verificationId: string): ResponseForm {
  const asked = String(verificationId).toLowerCase()
  return { ...statusForm, verificationId: id => String(id).toLowerCase() === asked }
}

export const changesForm: ResponseForm = {
  items: items =>
    Array.isArray(items) && items.every(item => hasForm(item, { ...statusForm, updatedAt: isText })),
  next: isText,
}

/** A text, of a mock that is wrong, must not admit anyone. */
export function toOver18({ over18 }: { over18?: unknown }): boolean | null {
  return typeof over18 === 'boolean' ? over18 : null
}

export const validationForm: ResponseForm = { valid: isBoolean, over18: isBoolean, reason: isText }

/** Further fields may have been added to the API. */
export function hasForm(value: unknown, form: ResponseForm): value is Record<string, unknown> {
  return isRecord(value) && Object.entries(form).every(([name, is]) => is(value[name]))
}
