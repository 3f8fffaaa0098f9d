/** Preloaded into every child process: reports its CPU time on request, and exits with its parent. */
process.on('message', message => {
  if (message === 'cpu') process.send!({ cpu: process.cpuUsage() })
})
process.on('disconnect', () => process.exit())
