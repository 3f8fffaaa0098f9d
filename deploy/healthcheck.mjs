/**
 * Exit code 0 while the process of this container responds, whatever its role; with /health/ready, while it is ready. Prints
 * the response, which names what it cannot reach.
 */
const { METRICS_PORT } = process.env
const [, , path = '/health/live'] = process.argv
const response = await fetch(`http://127.0.0.1:${METRICS_PORT}${path}`)
console.log(await response.text())
process.exit(response.ok ? 0 : 1)
