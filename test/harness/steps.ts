/** Steps of one test that build on each other, by name. */
export type Steps = Record<string, () => Promise<void>>

/** Runs the steps in order. The error of a step names it. */
export async function runSteps(steps: Steps): Promise<void> {
  for (const [name, run] of Object.entries(steps)) {
    try {
      await run()
    } catch (error) {
      if (error instanceof Error) error.message = `In the step "${name}": ${error.message}`
      throw error
    }
  }
}
