// A Nest 12 application in ES modules, which asks itself: its service is a tool, its guard says who may call it.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import 'reflect-metadata';
import { Controller, Injectable, Module, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Param, Prompt, Section, Tool } from 'toolwright';
import { ChatController, ToolwrightModule, type ChatRun } from 'toolwright/nestjs';
import { ScriptedModel } from 'toolwright/testing';

@Injectable()
class Stock {
  pieces = 3;
}

@Injectable()
class StaffGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-role'] === 'staff';
  }
}

class TakeParams {
  @Param({ description: 'Pieces', integer: true, min: 1 }) pieces!: number;
}

@Injectable()
@UseGuards(StaffGuard)
@Section({ key: 'stock', title: 'Stock' })
class StockSection {
  constructor(private readonly stock: Stock) {}

  @Tool('Take pieces out of the stock.')
  take({ pieces }: TakeParams): string {
    this.stock.pieces -= pieces;
    return `${String(this.stock.pieces)} left`;
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [StockSection] })
class Desk {}

@Controller('chat')
class DeskChat extends ChatController {
  open(): ChatRun {
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'take', arguments: { pieces: 2 } }] },
      ({ messages }) => ({ text: messages.at(-1)?.content ?? '' }),
    ]);
    return { prompt: this.toolwright.app.prompt(Desk), adapter };
  }
}

@Module({ imports: [ToolwrightModule.forRoot()], controllers: [DeskChat], providers: [Stock, StockSection, Desk] })
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.useLogger(false);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const ask = async (role: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${String(port)}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-role': role },
      body: '{"message":"Two, please."}',
    });
    return ((await response.json()) as { text: string }).text;
  };
  assert.match(await ask('guest'), /denied/);
  assert.equal(await ask('staff'), '1 left');
  await app.close();
}

void main();
