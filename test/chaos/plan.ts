import { createRandom, type Random } from '#test/harness/random.ts'
import { type Fault, type Lane, lanes, type PlannedFault } from './faults/fault.ts'

/** The faults of each round by lane; undefined after the last round. */
export type Plan = (round: number) => Map<Lane, PlannedFault[]> | undefined

export interface RandomPlanOptions {
  seed: number
  /** Faults of each lane in a round. */
  perLane: number
  /** Multiplies how long faults last, and the pauses between them. */
  pace: number
  /** Faults to choose from. */
  faults: readonly Fault[]
}

/** A plan without an end. The seed and a round's number determine its faults, whatever happened before. */
export function planRandomly({ seed, perLane, pace, faults }: RandomPlanOptions) {
  return (round: number): Map<Lane, PlannedFault[]> => {
    const plan = new Map<Lane, PlannedFault[]>()
    for (const lane of lanes) {
      const random = createRandom(seed, `round ${round}, ${lane}`)
      const choices = faults.filter(fault => fault.lane === lane)
      if (choices.length === 0) continue
      const planned = Array.from({ length: perLane }, () => planFault(random, choices, pace))
      plan.set(lane, planned)
    }
    return plan
  }
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

/** One round for each fault, which begins after a second unless it says otherwise. */
export function planInTurn(
  ...faults: (Pick<PlannedFault, 'fault' | 'lastsMs'> & Partial<PlannedFault>)[]
): Plan {
  return round => {
    const planned = faults[round]
    if (!planned) return undefined
    return new Map([[planned.fault.lane, [{ gapMs: 1_000, target: 0, variant: 0, ...planned }]]])
  }
}
