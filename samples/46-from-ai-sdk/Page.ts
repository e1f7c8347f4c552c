// The page of a chat, without a browser: the client of the AI SDK behind `useChat`, which is the same for both agents.
import {
  AbstractChat,
  type ChatState,
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai';

class PlainState implements ChatState<UIMessage> {
  status: ChatState<UIMessage>['status'] = 'ready';
  error: Error | undefined = undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage): void => void this.messages.push(message);
  popMessage = (): void => void this.messages.pop();
  replaceMessage = (index: number, message: UIMessage): void => void (this.messages[index] = message);
  snapshot = <T>(value: T): T => structuredClone(value);
}

export class Page extends AbstractChat<UIMessage> {
  #finish: () => void = () => {};

  constructor(url: string, user: string) {
    super({
      onFinish: () => this.#finish(),
      state: new PlainState(),
      transport: new DefaultChatTransport({ api: `${url}/api/chat`, headers: { 'x-user': user } }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  }

  /** The calls in the messages, as they were made. */
  get calls(): readonly string[] {
    const parts = this.messages.flatMap((message) => message.parts).filter(isToolUIPart);
    return parts.map((part) => `${getToolName(part)} ${JSON.stringify(part.input)}`);
  }

  /** Approves the call that waits, waits for the rest of the answer, and returns the name of the call. */
  async approve(): Promise<string> {
    const finished = new Promise<void>((resolve) => (this.#finish = resolve));
    for (const part of this.messages.at(-1)?.parts.filter(isToolUIPart) ?? []) {
      if (part.state !== 'approval-requested') continue;
      await this.addToolApprovalResponse({ id: part.approval.id, approved: true });
      await finished;
      return getToolName(part);
    }
    throw new Error('No call waits for an approval.');
  }

  /** The last text of the model. */
  get text(): string {
    const last = this.messages.at(-1)?.parts.findLast((part) => part.type === 'text');
    return last?.text ?? '';
  }
}
