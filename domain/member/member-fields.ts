import { z } from 'zod'
import { lineOfText } from '../parameters.ts'
import { roles } from '../permissions.ts'

export const memberSubject = lineOfText('The subject', 255)

export const memberIssuer = lineOfText('The issuer', 500)

export const memberRole = z.enum(roles, `The role must be one of ${roles.join(', ')}.`)
