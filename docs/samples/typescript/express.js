import express from 'express'
import { receive } from './receive.js'

const app = express()
// Before any express.json(). Express 4 doesn't catch what an async handler throws, so errors go to next.
app.post('/webhooks', express.raw({ type: () => true }), (request, response, next) => {
  receive(request.body, request.headers).then(status => response.sendStatus(status), next)
})
app.listen(process.env.PORT)
