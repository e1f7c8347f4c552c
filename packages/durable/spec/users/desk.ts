// A prompt that remembers facts of its user, and runs of it.
import 'reflect-metadata';
import {
  type Application,
  createApplication,
  type HookInput,
  Param,
  Prompt,
  Section,
  Session,
  type SessionOptions,
  Tool,
  ToolContext,
} from 'toolwright';
import { Conversation, readUser, type RunStore } from 'toolwright/conversations';
import type { ToolInvoked } from 'toolwright/events';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import type { DurableStore } from '@toolwright/durable';
import { silent } from '../../../../spec/support/silent';

/** A fact of the user. Facts are appended. */
export class Fact {
  @Param({ description: 'What it says', type: String }) readonly text: string;
  @Param({ description: 'Never kept', type: String, secret: true, optional: true }) readonly code?: string;

  constructor(text: string, code?: string) {
    this.text = text;
    if (code !== undefined) this.code = code;
  }
}

/** A value that each change replaces. */
export class Count {
  @Param({ description: 'How often', type: Number }) readonly times: number;

  constructor(times: number) {
    this.times = times;
  }
}

/** State of one conversation. */
export class Note {
  @Param({ description: 'What it says', type: String }) readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

class Texts {
  @Param({ description: 'Text', type: String }) text!: string;
}

export const slices: NonNullable<SessionOptions['slices']> = [
  { type: Fact, scope: 'user' },
  { type: Count, scope: 'user' },
  Note,
];

/** Called by the tools after they have read the state, and before they write. */
export const moments: { meanwhile?: (() => Promise<void>) | undefined } = {};

@Section({ title: 'Desk' })
class Desk {
  renderBody({ session }: HookInput): string {
    return session
      .slice(Fact)
      .all()
      .map(({ text }) => text)
      .join(', ');
  }

  @Tool({ description: 'Remember a fact.', hints: { openWorld: false } })
  async remember({ text }: Texts, { session }: ToolContext): Promise<string> {
    await moments.meanwhile?.();
    session.dispatch(new Fact(text, 'code 4711'));
    session.dispatch(new Note(text));
    if (text === 'fails') throw new Error('no');
    return 'remembered';
  }

  @Tool({ description: 'Count up.', hints: { openWorld: false } })
  async count({ session }: ToolContext): Promise<string> {
    const { times } = session.slice(Count).latest() ?? new Count(0);
    await moments.meanwhile?.();
    session.slice(Count).seed(new Count(times + 1));
    return `before ${String(times)}`;
  }

  @Tool('Remember something odd.')
  odd({ session }: ToolContext): string {
    session.dispatch({ __proto__: Fact.prototype, text: new Map() });
    return 'remembered';
  }
}

@Prompt({ ns: 'test', key: 'memory', sections: [Desk] })
export class Agent {}

export const call = (name: string, text?: string): ScriptStep => ({
  toolCalls: [{ name, arguments: text === undefined ? {} : { text } }],
});
export const remember = (text: string): ScriptStep => call('remember', text);

interface Talk {
  readonly app: Application;
  readonly principal?: string | undefined;
  readonly id?: string;
  readonly session?: Session;
  readonly conversation?: Conversation;
}

/** Runs one message in a conversation of the store, with a new session. Returns the system message and the session. */
export async function talk(store: RunStore, steps: readonly ScriptStep[], given: Talk) {
  const { app, principal = 'ada', id = 'c', session = new Session({ slices }) } = given;
  const conversation = given.conversation ?? (await Conversation.open(store, id));
  const adapter = new ScriptedModel([...steps, { text: 'Done.' }]);
  const kinds: string[] = [];
  const response = await app.evaluate(app.prompt(Agent), {
    adapter,
    conversation,
    session,
    messages: [{ role: 'user', content: 'Hello' }],
    ...('principal' in given && given.principal === undefined ? {} : { runMetadata: { principal } }),
    onEvent: (event) => {
      if (event.constructor.name === 'ToolInvoked') kinds.push((event as ToolInvoked).kind);
    },
  });
  return { session, adapter, kinds, response, system: String(conversation.messages[0]?.content) };
}

export async function factsOf(store: RunStore, principal = 'ada'): Promise<readonly string[]> {
  return (await readUser(store, principal, slices))
    .slice(Fact)
    .all()
    .map(({ text }) => text);
}

export async function timesOf(store: RunStore, principal = 'ada'): Promise<number> {
  return (await readUser(store, principal, slices)).slice(Count).latest()?.times ?? 0;
}

/** A store that does something once before the first append with changes of a shared session. */
export function beforeAppend(store: DurableStore, act: () => Promise<void>): DurableStore {
  let isFirst = true;
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'append')
        return async (...given: Parameters<DurableStore['append']>) => {
          if (given[0].session !== undefined && isFirst) {
            isFirst = false;
            await act();
          }
          await target.append(...given);
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

export function openApp(): Promise<Application> {
  return createApplication({ prompts: [Agent], logger: silent });
}
