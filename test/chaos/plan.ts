import { allFaults } from './faults/all-faults.ts'
import { type Fault, type Lane, lanes, type PlannedFault } from './faults/fault.ts'
import { createRandom, type Random } from './random.ts'

export interface PlanOptions {
  seed: number
  /** Faults of each lane in a round. */
  perLane: number
  /** Multiplies how long faults last, and the pauses between them. */
  pace: number
  /** Faults to choose from. */
  faults: readonly Fault[]
}

/** The faults of a round by lane. The seed and the round's number determine them, whatever happened before. */
export function planRound(
  round: number,
  { seed, perLane, pace, faults }: PlanOptions,
): Map<Lane, PlannedFault[]> {
  const plan = new Map<Lane, PlannedFault[]>()
  for (const lane of lanes) {
    const random = createRandom(seed, `round ${round}, ${lane}`)
    const choices = faults.filter(fault => fault.lane === lane)
    if (choices.length === 0) continue
    plan.set(
      lane,
      Array.from({ length: perLane }, () => planFault(random, choices, pace)),
    )
  }
  return plan
}

/** The faults whose names contain one of the texts; all without a text. */
export function faultsNamed(texts: readonly string[]): Fault[] {
  return allFaults.filter(({ name }) => texts.length === 0 || texts.some(text => name.includes(text)))
}

function planFault(random: Random, choices: readonly Fault[], pace: number): PlannedFault {
  const fault = random.weighted(choices)
  const [shortest, longest] = fault.lastsMs
  return {
    fault,
    gapMs: Math.round(pace * random.between(200, 2_500)),
    lastsMs: Math.round(pace * random.between(shortest, longest)),
    target: random.between(0, 65_535),
    variant: random.between(0, 1_000_000),
  }
}
