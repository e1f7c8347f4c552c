import {
  Session,
  type Application,
  type BoundPrompt,
  type Message,
  type ModelAdapter,
  type ModelRequest,
  type ModelResponse,
  type RunEvent,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import type { CallLog } from './CallLog.js';
import type { DeskView } from './DeskView.js';

/** One customer's conversation with the desk: a session, and the messages so far. */
export class Conversation {
  readonly session = new Session();
  private messages: readonly Message[] = [];

  constructor(
    private readonly app: Application,
    private readonly prompt: BoundPrompt,
    private readonly adapter: ModelAdapter,
    private readonly log: CallLog,
    private readonly view: DeskView,
  ) {}

  /** Adds a message of the customer; the model calls tools until it answers. */
  async hear(text: string): Promise<void> {
    this.view.customer(text);
    const response = await this.app.evaluate(this.prompt, {
      adapter: new NarratedModel(this.adapter, this.view),
      session: this.session,
      messages: [...this.messages, { role: 'user', content: text }],
      onEvent: (event) => {
        this.tell(event);
      },
    });
    // The system message is rendered again for each evaluation.
    this.messages = response.transcript.filter((message) => message.role !== 'system');
  }

  private tell(event: RunEvent): void {
    if (event instanceof ToolInvoked) this.view.outcome(this.log.add(event));
  }
}

/** Shows each answer of a model as it arrives; an adapter is one method, so wrapping one is easy. */
class NarratedModel implements ModelAdapter {
  readonly name: string;

  constructor(
    private readonly model: ModelAdapter,
    private readonly view: DeskView,
  ) {
    this.name = model.name;
  }

  async complete(request: ModelRequest): Promise<ModelResponse> {
    const response = await this.model.complete(request);
    this.view.model(response);
    return response;
  }
}
