import { Controller } from '@nestjs/common';
import { ChatController, type ChatRun } from '@toolwright/nestjs';
import type { AuthRequest } from '../app/auth/auth.guard.js';
import { Editor } from './desk.js';
import { modelFor } from './model.js';

/** The global guard of the application has admitted the request, and added its user. */
@Controller('chat')
export class EditorChat extends ChatController {
  open(message: string, request: AuthRequest): ChatRun {
    return {
      prompt: this.toolwright.app.prompt(Editor),
      adapter: modelFor(message),
      messages: [{ role: 'user', content: message }],
      runMetadata: { user: request.user!.username },
    };
  }
}
