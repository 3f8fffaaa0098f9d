/**
 * Preloaded into every child process: reports its CPU time and memory on request, and exits with its parent. With
 * `--expose-gc` it collects garbage before it reports the memory.
 */
process.on('message', message => {
  if (message === 'cpu') process.send!({ cpu: process.cpuUsage() })
  if (message === 'memory') {
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    process.send!({ 'resident, MiB': rss / 1024 ** 2, 'heap, MiB': heapUsed / 1024 ** 2 })
  }
})
process.on('disconnect', () => process.exit())
