/**
 * The program of an API process on a machine that runs several. Its primary hands it what it needs, tells it when
 * to end, and is the only one that it listens to: a signal to the whole group reaches the primary too. When the
 * primary is gone, `node:cluster` ends it.
 */
import { describeError } from '../describe-error.ts'
import { createLog } from '../log.ts'
import { prepareProcessEnd } from '../process-end.ts'
import { runService, type ServiceProcess } from '../run-service.ts'
import type { FromChild, ToChild } from './messages.ts'
import { createRequester } from './requester.ts'

/** More than the primary allows the other processes for theirs. */
const allFiguresMsMax = 4_000

const allFigures = createRequester<string>(
  question => tell({ kind: 'ask for all figures', ...question }),
  allFiguresMsMax,
)
const end = prepareProcessEnd()
let service: ServiceProcess | undefined

process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('message', (message: ToChild) => void obey(message))
tell({ kind: 'ready' })

async function obey(message: ToChild): Promise<void> {
  if (message.kind === 'start') await start(message)
  else if (message.kind === 'all figures') allFigures.settle(message)
  else if (message.kind === 'ask for own figures') await tellFigures(message.question)
  else end.begin()
}

async function start({ config, dependencies }: Extract<ToChild, { kind: 'start' }>): Promise<void> {
  try {
    service = await runService({
      config,
      dependencies: { ...dependencies, close: async () => {} },
      log: createLog(config.LOG_LEVEL),
      duties: { api: true, worker: false, metricsPort: false },
      figures: ({ contentType }) => ({ contentType, metrics: allFigures.ask }),
    })
    end.ready(service.close)
    tell({ kind: 'listening' })
  } catch (error) {
    process.send?.({ kind: 'failed', fault: describeError(error) } satisfies FromChild, () => process.exit(1))
  }
}

async function tellFigures(question: number): Promise<void> {
  const value = (await service?.services.registry.getMetricsAsJSON()) ?? []
  tell({ kind: 'own figures', question, value })
}

function tell(message: FromChild): void {
  process.send?.(message)
}
