import { z } from 'zod'
import { lineOfText } from '../parameters.ts'
import { apiKeyScopes } from '../permissions.ts'

export const apiKeyName = lineOfText('The name', 100)

export const apiKeyScopeList = z
  .array(z.enum(apiKeyScopes, `The scopes must be of ${apiKeyScopes.join(', ')}.`))
  .min(1, 'A key needs at least one scope.')
  .max(apiKeyScopes.length, 'A scope must be named once only.')
