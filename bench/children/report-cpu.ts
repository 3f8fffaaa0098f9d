/** Loaded into every child before its own program: tells its CPU time when it is asked, and ends with its parent. */
process.on('message', message => {
  if (message === 'cpu') process.send!({ cpu: process.cpuUsage() })
})
process.on('disconnect', () => process.exit())
