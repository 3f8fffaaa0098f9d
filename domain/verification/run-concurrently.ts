/**
 * Does the work for all items at once. Throws the first failure, but only when all have ended: nothing goes on
 * behind the caller's back.
 */
export async function runConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(work))
  const failure = outcomes.find(outcome => outcome.status === 'rejected')
  if (failure) throw failure.reason
}
