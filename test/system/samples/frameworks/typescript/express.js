import express from 'express'
import { receive } from './receive.js'

const app = express()
app.post('/webhooks', express.raw({ type: () => true }), async (request, response) => {
  response.sendStatus(await receive(request.body, request.headers))
})
app.listen(process.env.PORT)
