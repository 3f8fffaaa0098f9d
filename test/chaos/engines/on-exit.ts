const tasks = new Set<() => void>()

/** Has a task run when this process exits, however it does. Returns a function that cancels it. */
export function onExit(task: () => void): () => void {
  if (tasks.size === 0) process.once('exit', runAll)
  tasks.add(task)
  return () => {
    tasks.delete(task)
    if (tasks.size === 0) process.off('exit', runAll)
  }
}

function runAll(): void {
  for (const task of tasks) task()
}
