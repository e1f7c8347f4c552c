import {
  type Application,
  type ApplicationOptions,
  type BoundPrompt,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  type Message,
  type ModelRequest,
  type PromptResponse,
  Session,
  type ToolContext,
} from 'toolwright';
import type { UnknownCallPolicy } from 'toolwright/conversations';
import { StaticFeedback } from 'toolwright/policies';
import { type ScriptedCall, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { silent } from '../../support/silent';

/** A note that a handler wrote. */
export class Note {
  constructor(readonly text: string) {}
}

/** What may differ between two deployments of the same prompt. */
export interface DeskOptions {
  readonly key?: string | undefined;
  /** The text of the section `desk`. */
  readonly template?: string | undefined;
  /** False if the section `store`, with the tool `look`, is switched off. */
  readonly hasStore?: boolean | undefined;
  readonly app?: Partial<ApplicationOptions> | undefined;
  /** True if calls of `note` need an approval. */
  readonly needsApproval?: boolean | undefined;
  /** What the tool `note` says about calls of it that were cut off. */
  readonly onUnknown?: UnknownCallPolicy | undefined;
  /** Is called with each call that a handler starts. */
  readonly started?: ((name: string, context: ToolContext) => void | Promise<void>) | undefined;
}

export interface Desk {
  readonly app: Application;
  readonly prompt: BoundPrompt;
  /** Runs a script in one go; the adapter has the requests. */
  readonly run: (
    script: readonly ScriptStep[],
    options: Partial<EvaluateOptions>,
  ) => Promise<{ readonly response: PromptResponse; readonly adapter: ScriptedModel }>;
}

/**
 * A desk with the tools `note` (writes, of unknown effect), `keep` (writes in its session alone), `look` (reads), `fail`
 * (writes and fails), and `extra`, which belongs to a closed section.
 */
export async function deskOf(options: DeskOptions = {}): Promise<Desk> {
  const {
    key = 'desk',
    template = 'Help.',
    hasStore = true,
    needsApproval = false,
    app: more,
    started,
    onUnknown,
  } = options;
  const write = (
    name: string,
    { fails = false, ...hints }: { readonly fails?: boolean; readonly openWorld?: boolean },
  ) =>
    defineTool({
      name,
      description: 'Writes.',
      hints,
      requiresApproval: needsApproval && name === 'note',
      onUnknown: name === 'note' ? onUnknown : undefined,
      handler: async (_params: unknown, context: ToolContext) => {
        await started?.(name, context);
        context.session.dispatch(new Note(name));
        if (fails) throw new TypeError('no');
        return `${name} ${String(context.session.slice(Note).all().length)}`;
      },
    });
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    hints: { readOnly: true },
    handler: (_params: unknown, { session }: ToolContext) => session.slice(Note).all().length,
  });
  const type = definePrompt({
    ns: 'spec',
    key,
    heading: 'plain',
    sections: [
      defineSection({
        key: 'desk',
        title: 'Desk',
        template,
        tools: [write('note', {}), write('keep', { openWorld: false }), write('fail', { fails: true })],
        feedback: [new StaticFeedback('Take care.', { everyCalls: 3 })],
      }),
      defineSection({ key: 'store', title: 'Store', template: 'Look there.', enabled: hasStore, tools: [look] }),
      defineSection({
        key: 'more',
        title: 'More',
        template: 'Long text.',
        summary: 'Short.',
        visibility: 'summary',
        tools: [write('extra', {})],
      }),
    ],
  });
  const app = await createApplication({ prompts: [type], logger: silent, ...more });
  const prompt = app.prompt(type);
  return {
    app,
    prompt,
    run: async (script, evaluateOptions) => {
      const adapter = new ScriptedModel(script);
      return { response: await app.evaluate(prompt, { adapter, ...evaluateOptions }), adapter };
    },
  };
}

/** A session in which handlers can write notes. */
export const freshSession = (): Session => new Session({ slices: [Note] });

export const notesOf = (session: Session): readonly string[] =>
  session
    .slice(Note)
    .all()
    .map(({ text }) => text);

export const user = (content: string): readonly Message[] => [{ role: 'user', content }];

export const call = (name: string, given: ScriptedCall['arguments'] = {}): ScriptedCall => ({ name, arguments: given });

export const opening: ScriptedCall = call('open_sections', { section_keys: ['more'], reason: 'to work' });

/** What one request shows of tools and messages: the next one has to begin with it. */
function shown({ messages, offeredTools, closedTools }: ModelRequest) {
  const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return {
    tools: json([offeredTools?.('json-schema'), closedTools?.('json-schema')]),
    messages: json(messages) as readonly unknown[],
  };
}

/** Fails the test unless each request begins with the one before. */
export function expectAppended(requests: readonly ModelRequest[]): void {
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1];
    if (before === undefined) continue;
    const [now, last] = [shown(request), shown(before)];
    expect(now.tools).toEqual(last.tools);
    expect(now.messages.slice(0, last.messages.length)).toEqual(last.messages);
  }
}
