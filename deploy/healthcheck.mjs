/** Exit code 0 while the process of this container responds, whatever its role. */
const { METRICS_PORT } = process.env
const response = await fetch(`http://127.0.0.1:${METRICS_PORT}/health/live`)
process.exit(response.ok ? 0 : 1)
