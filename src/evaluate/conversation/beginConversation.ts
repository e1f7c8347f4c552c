import { sha256 } from '../../common/builtins.js';
import type { JsonValue } from '../../common/types.js';
import type { ModelAdapter } from '../../interface/ModelAdapter.js';
import type { ConversationHead, RunEntry } from '../../interface/RunEntry.js';
import type { PromptMetadata } from '../../metadata/PromptMetadata.js';
import type { OutputMetadata } from '../../metadata/OutputMetadata.js';
import type { SessionPort } from '../../interface/SessionPort.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { RaceLimits } from '../../limit/raceLimits.js';
import { writeOutputText } from '../answer/describeOutput.js';
import { waitWithinRun } from '../ask/waitWithinRun.js';
import { digestContent } from './prefix/digestContent.js';
import type { Conversation } from './Conversation.js';
import { createToolLists, lowerTools, recordTools } from './prefix/conversationTools.js';

const SHORT = 16;

/** The rendering, the model and the session with which a conversation begins or goes on. */
export interface ConversationStart {
  readonly rendered: RenderedPrompt;
  readonly session: SessionPort;
  readonly adapter: ModelAdapter;
  /** The form of the answers; null if any text will do. */
  readonly output: OutputMetadata | null;
  /** The limits of the run that it begins with; left out for a run in a handler, which its call limits. */
  readonly limits?: RaceLimits | undefined;
}

/** Begins a conversation, unless it has begun, and chooses its model, unless it is the same. */
export async function beginConversation(conversation: Conversation, start: ConversationStart): Promise<void> {
  const { id, isKept } = conversation;
  if (conversation.state.head === undefined) {
    const { ns, key } = start.rendered.prompt;
    const head = await createHead(start, isKept);
    conversation.enter({ kind: 'conversation', id, prompt: `${ns}/${key}`, ...head });
  }
  const { adapter } = start;
  if (conversation.state.model?.adapter !== adapter.name) conversation.enter(createModelEntry(conversation, adapter));
}

/** Creates the entry with which requests go to another model. A model that comes back keeps its means. */
export function createModelEntry({ state, isKept }: Conversation, adapter: ModelAdapter): RunEntry<'model'> {
  const { head, earlierModels } = state;
  const earlier = earlierModels.findLast((model) => model.adapter === adapter.name);
  const means = earlier === undefined ? readMeans(adapter, head) : earlier.means;
  const chosen = { kind: 'model', adapter: adapter.name, means } as const;
  const digest = isKept ? digestContent(chosen) : undefined;
  return digest === undefined ? chosen : { ...chosen, digest };
}

/**
 * Makes the head of a conversation from the rendering that it begins with.
 *
 * @param isKept true to compute the parts that only a record needs
 * @param before the head so far; undefined for a conversation that begins
 */
export async function createHead(
  start: ConversationStart,
  isKept: boolean,
  before?: ConversationHead,
): Promise<ConversationHead> {
  const { rendered, session, limits = {} } = start;
  const described = describeUnsentOutput(start, before);
  const form = describeBoundForm(start, before);
  const closed = rendered.isDisclosing
    ? await waitWithinRun(rendered.closedTools(session), limits, 'the tools of closed sections were listed')
    : [];
  return {
    text: rendered.text,
    ...(described === undefined ? {} : { output: described }),
    ...(form === undefined ? {} : { form }),
    offered: recordTools(rendered.tools),
    closed: recordTools(closed),
    fingerprint: isKept ? rendered.fingerprint : '',
    sections: isKept ? hashSections(rendered) : {},
  };
}

type Answering = Pick<ConversationStart, 'adapter' | 'output'>;

/**
 * Describes the form of the answers to come, as a message has to; the form that was described last if it still holds.
 *
 * @param described undefined if the messages so far describe none
 */
export function describeNextOutput(
  start: Answering,
  head: ConversationHead,
  described: string | undefined,
): string | undefined {
  const form = describeUnsentOutput(start, head);
  // Another model needed words for it, and this one does not: the words are still right.
  const isKnown = form === undefined && start.output !== null && writeOutputText(start.output.schema) === described;
  return isKnown ? described : form;
}

/** Describes the form of the answers, where the provider gets none in another way; undefined where it does. */
function describeUnsentOutput(start: Answering, head: ConversationHead | undefined): string | undefined {
  const { output } = start;
  return output === null || isFormSent(start, head) ? undefined : writeOutputText(output.schema);
}

/**
 * True if the provider gets the form of the answers in its own field. Where reasoning is bound to that field, it is the form that
 * the conversation began with, or none.
 */
export function isFormSent({ adapter, output }: Answering, head: ConversationHead | undefined): boolean {
  if (output === null || adapter.takesOutputSchema !== true) return false;
  if (adapter.expressesOutput?.(output.schemaFor) === false) return false;
  return adapter.bindsOutputSchema !== true || head === undefined || head.form === writeOutputText(output.schema);
}

/** Describes the form that every request has to send in the provider's field; undefined where none has to be the same. */
function describeBoundForm(start: Answering, head: ConversationHead | undefined): string | undefined {
  const { adapter, output } = start;
  const isBound = output !== null && adapter.bindsOutputSchema === true && isFormSent(start, head);
  return isBound ? writeOutputText(output.schema) : undefined;
}

function readMeans(adapter: ModelAdapter, head: ConversationHead | undefined): JsonValue {
  return adapter.means?.(createToolLists(head, lowerTools)) ?? null;
}

/** Returns true for a tool that a conversation offers, or may offer later. */
export function isKnownTool(head: ConversationHead | undefined, name: string): boolean {
  if (head === undefined) return true;
  return [head.offered, head.closed].some((tools) => tools.some((tool) => tool.name === name));
}

/** Marks the hash of a section that was summarised: once it is open, it reads differently, which does not count as drift. */
const CLOSED = '~';

/** Returns a short hash of the text of each section, by path. */
function hashSections({ sections, text, metadata }: RenderedPrompt): Readonly<Record<string, string>> {
  const outline = sections.map(({ path, visibility, start }) => `${path} ${visibility} ${String(start)}`).join();
  const known = hashed.get(metadata);
  if (known?.text === text && known.outline === outline) return known.hashes;
  const hashes = Object.fromEntries(
    sections.map(({ path, visibility, start, end }) => {
      const hash = sha256(text.slice(start, end)).slice(0, SHORT);
      return [path, visibility === 'summary' ? `${CLOSED}${hash}` : hash];
    }),
  );
  hashed.set(metadata, { text, outline, hashes });
  return hashes;
}

/** The last hashes of each prompt: most of its renderings are equal. */
const hashed = new WeakMap<
  PromptMetadata,
  { readonly text: string; readonly outline: string; readonly hashes: Readonly<Record<string, string>> }
>();

export function isClosedHash(hash: string | undefined): boolean {
  return hash?.startsWith(CLOSED) === true;
}

/** Returns the paths of the sections that read differently than when the conversation began, without sections opened since. */
export function findDriftedSections(
  { sections: before }: ConversationHead,
  rendered: RenderedPrompt,
): readonly string[] {
  const now = hashSections(rendered);
  const opened = Object.keys(before).filter(
    (path) => isClosedHash(before[path]) && now[path] !== undefined && !isClosedHash(now[path]),
  );
  const isOpened = (path: string): boolean => opened.some((one) => `${path}.`.startsWith(`${one}.`));
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path] && !isOpened(path));
}
