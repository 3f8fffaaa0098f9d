/**
 * Runs the work for all items concurrently. Throws the first failure, but only after all have settled: nothing is
 * still running when it returns.
 */
export async function runConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(work))
  const failure = outcomes.find(outcome => outcome.status === 'rejected')
  if (failure) throw failure.reason
}
