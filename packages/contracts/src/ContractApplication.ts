import assert from 'node:assert/strict';
import {
  type Application,
  createApplication,
  defineSection,
  defineTool,
  type EvaluateOptions,
  Field,
  Param,
  Prompt,
  type PromptResponse,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import type { AdapterKit } from './AdapterKit.js';

class Noted {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

class LookedUp {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

class ArchiveParams {
  @Param({ description: 'What to look up', type: String }) text!: string;
}

/** The output of the checks that have one. */
export class Review {
  @Field({ description: 'From 1 to 5', type: Number, integer: true }) stars!: number;
  @Field({ description: 'Why', type: String }) reason!: string;
}

@Section({ key: 'notes', title: 'Notes', template: 'Note what you are told.' })
class NotesSection {
  @Tool({ description: 'Note a text.', result: String })
  note(@Param('text', { description: 'What to note', type: String }) text: string, context: ToolContext): string {
    context.session.dispatch(new Noted(text));
    return `Noted: ${text}.`;
  }
}

@Section({
  key: 'manual',
  title: 'Manual',
  template: 'The manual.',
  summary: 'How notes are kept.',
  visibility: 'summary',
})
class ManualSection {
  @Tool({ description: 'Look a text up.', result: String })
  lookUp(@Param('text', { description: 'What to look up', type: String }) text: string, context: ToolContext): string {
    return lookUp(text, context);
  }
}

/** More tools than are sent from the start to a provider that cannot add tools later. */
const archive = defineSection({
  key: 'archive',
  title: 'Archive',
  template: 'The archive.',
  summary: 'What was.',
  visibility: 'summary',
  tools: Array.from({ length: 40 }, (_none, at) =>
    defineTool({
      name: `look_up_${String(at)}`,
      params: ArchiveParams,
      description: `Look a text up in the year ${String(1900 + at)} of the archive, and read what stood there about it.`,
      handler: ({ text }: ArchiveParams, context: ToolContext) => lookUp(text, context),
    }),
  ),
});

function lookUp(text: string, { session }: ToolContext): string {
  session.dispatch(new LookedUp(text));
  return `Found: ${text}.`;
}

@Prompt({ ns: 'toolwright', key: 'adapter_contract', sections: [NotesSection, ManualSection, archive] })
class ContractPrompt {}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An application with the adapter under test: one tool that records its calls, and one summarised section. */
export class ContractApplication {
  readonly kit: AdapterKit;
  readonly clock: FakeClock;
  readonly #app: Application;
  readonly #session = new Session();

  private constructor(kit: AdapterKit, app: Application, clock: FakeClock) {
    this.kit = kit;
    this.#app = app;
    this.clock = clock;
  }

  static async open(kit: AdapterKit): Promise<ContractApplication> {
    const clock = new FakeClock();
    const app = await createApplication({ prompts: [ContractPrompt], clock, logger: silent, random: () => 0 });
    return new ContractApplication(kit, app, clock);
  }

  /** Returns the notes of calls that were committed. */
  get notes(): readonly string[] {
    return this.#session
      .slice(Noted)
      .all()
      .map(({ text }) => text);
  }

  /** Returns the texts that tools of closed sections looked up. */
  get lookedUp(): readonly string[] {
    return this.#session
      .slice(LookedUp)
      .all()
      .map(({ text }) => text);
  }

  run(options: Partial<EvaluateOptions> = {}): Promise<PromptResponse> {
    return this.#app.evaluate(this.#app.prompt(ContractPrompt), this.#makeOptions(options));
  }

  /** Runs the same as a stream: returns its response, and the texts of each turn, without texts that a retry replaced. */
  async stream(): Promise<{ readonly response: PromptResponse; readonly texts: readonly string[] }> {
    const texts: string[] = [];
    for await (const event of this.#app.stream(this.#app.prompt(ContractPrompt), this.#makeOptions({}))) {
      if (event.kind === 'done') return { response: event.response, texts };
      if (event.kind === 'text') texts[event.turn - 1] = (texts[event.turn - 1] ?? '') + event.text;
      if (event.kind === 'retry') texts[event.turn - 1] = '';
    }
    assert.fail('the stream ended without the response');
  }

  /** Returns the error of the run. */
  async failure(options: Partial<EvaluateOptions> = {}): Promise<unknown> {
    return this.run(options).then(
      ({ text }) => assert.fail(`the run ended well, with ${JSON.stringify(text)}`),
      (error: unknown) => error,
    );
  }

  /** Asserts that the provider received this number of requests, and would not have refused any. */
  assertReceived(count: number): void {
    assert.deepEqual(
      this.kit.received.flatMap(({ problems }) => problems),
      [],
    );
    assert.equal(this.kit.received.length, count, 'the number of requests');
  }

  /** Returns the results of tools in the last request. */
  get answers(): readonly string[] {
    return this.kit.received.at(-1)?.answers ?? [];
  }

  #makeOptions(options: Partial<EvaluateOptions>): EvaluateOptions {
    const messages = [{ role: 'user', content: 'Note what I say.' }] as const;
    return { messages, ...options, adapter: this.kit.adapter, session: this.#session };
  }
}
