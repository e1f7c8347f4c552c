import { Module } from '@nestjs/common';
import { Desk } from './desk.js';
import { OrdersService } from './orders.service.js';

/** The agent: its section and its prompt. */
@Module({ providers: [OrdersService, Desk] })
export class AgentModule {}
