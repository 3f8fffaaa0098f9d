import { lineOfText } from '../parameters.ts'

export const tenantName = lineOfText('The name', 200)
