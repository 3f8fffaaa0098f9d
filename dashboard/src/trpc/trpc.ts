import type { inferRouterOutputs } from '@trpc/server'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { ConsoleRouter } from '../../../console-api/router.ts'

export type Outputs = inferRouterOutputs<ConsoleRouter>

export const { TRPCProvider: ConsoleProvider, useTRPC: useConsole } = createTRPCContext<ConsoleRouter>()
