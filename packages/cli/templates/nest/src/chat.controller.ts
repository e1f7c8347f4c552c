import { Controller } from '@nestjs/common';
import { ScriptedModel } from 'toolwright/testing';
import { ChatController, type ChatRun } from '@toolwright/nestjs';
import { Desk } from './desk.js';

/** POST /chat with { "message": "…" }. */
@Controller('chat')
export class DeskChat extends ChatController {
  open(content: string): ChatRun {
    // A script, which needs no key; a model is an adapter of @toolwright/openai, @toolwright/anthropic or @toolwright/ai-sdk.
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'get_order', arguments: { id: '7' } }] },
      { text: 'Order 7 is pending.' },
    ]);
    return { prompt: this.toolwright.app.prompt(Desk), adapter, messages: [{ role: 'user', content }] };
  }
}
