// NestJS on Express. The application keeps raw bodies: NestFactory.create(AppModule, { rawBody: true }).
import { Controller, Post, type RawBodyRequest, Req, Res } from '@nestjs/common'
import { receive } from './receive.js'

@Controller('webhooks')
export class WebhooksController {
  @Post()
  async receive(
    @Req() request: RawBodyRequest<Request>,
    @Res() response: { sendStatus(status: number): void },
  ) {
    response.sendStatus(await receive(request.rawBody ?? '', request.headers))
  }
}
