import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { WebhooksController } from './nest.js'

class AppModule {}
Module({ controllers: [WebhooksController] })(AppModule)
const app = await NestFactory.create(AppModule, { rawBody: true, logger: false })
await app.listen(process.env.PORT)
