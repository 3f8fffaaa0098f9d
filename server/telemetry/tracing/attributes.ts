import type { Attributes } from '@opentelemetry/api'

type Value = string | number | undefined

/** The product's own attributes: `tenantId` is `age_verification.tenant_id`. What is undefined is left out. */
export function toAttributes(fields: Readonly<Record<string, Value>>): Attributes {
  const attributes: Attributes = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined)
      attributes[name.includes('.') ? name : `age_verification.${snakeCase(name)}`] = value
  }
  return attributes
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
