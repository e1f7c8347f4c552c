import { Module } from '@nestjs/common';
import { ToolwrightModule } from '@toolwright/nestjs';
import { DeskChat } from './chat.controller.js';
import { Desk } from './desk.js';
import { OrdersService } from './orders.service.js';

@Module({
  imports: [ToolwrightModule.forRoot()],
  controllers: [DeskChat],
  providers: [OrdersService, Desk],
})
export class AppModule {}
