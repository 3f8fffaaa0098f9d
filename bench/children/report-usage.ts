/** Preloaded into every child process: reports its CPU time and memory on request, and exits with its parent. */
process.on('message', message => {
  if (message === 'cpu') process.send!({ cpu: process.cpuUsage() })
  if (message === 'memory') process.send!({ memoryBytes: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
