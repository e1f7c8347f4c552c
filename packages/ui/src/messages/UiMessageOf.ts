import type { UIMessage } from 'ai';
import type { JsonValue, ToolContext } from 'toolwright';
import type { QuestionReply } from 'toolwright/conversations';
import type { UiMessageMetadata } from '../aiSdk/uiChunks.js';

/** The data parts of a message: `data-section`, `data-steering`, `data-progress`, `data-state` and `data-late`. */
// The AI SDK takes records, and an interface is none.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type UiData = {
  /** A section that the model opened: its path, and the call that asked for it. */
  section: { path: string; call: string };
  /** A message that a person wrote while the model answered (clients of `ai` 6). */
  steering: { text: string };
  /** How far a call has come; not kept in the message. */
  progress: { call: string; tool: string; fraction?: number; message?: string };
  /** A slice of the session that the host shows. */
  state: JsonValue;
  /** The person's decision came too late: another one counts, or the run has ended; not kept in the message. */
  late: { question: string; decision: QuestionReply['kind'] | 'ended'; reason?: string };
};

/**
 * The messages of a chat whose prompt has these section classes, with the inputs and outputs of their tools, for `useChat` and
 * `typedTools: true` of `chatHandler`. A tool has the input of its params class, and unknown input if its params are declared one by one.
 *
 * @example
 * const { messages } = useChat<UiMessageOf<typeof Orders | typeof Refunds>>();
 */
export type UiMessageOf<Sections extends abstract new (...args: never) => object> = UIMessage<
  UiMessageMetadata,
  UiData,
  ToolsOf<InstanceType<Sections>>
>;

type Handler = (...args: never) => unknown;

/** The tools of one of several sections. */
type ToolsOf<Section> = UnionToIntersection<Section extends object ? ToolsOfOne<Section> : never> & {};

type ToolsOfOne<Section> = {
  [
    Name in keyof Section & string as Section[Name] extends Handler ? SnakeCase<Name> : never
  ]: Section[Name] extends Handler
    ? { input: InputOf<Parameters<Section[Name]>>; output: OutputOf<Section[Name]> }
    : never;
};

/** The input of a handler: its params object, which is the first argument that is not the context. */
type InputOf<Args extends readonly unknown[]> = Args extends readonly [infer First, ...infer Rest]
  ? First extends ToolContext
    ? Record<string, never>
    : First extends readonly unknown[] | Date
      ? unknown
      : First extends object
        ? Rest extends readonly [] | readonly [ToolContext]
          ? { [Field in keyof First as First[Field] extends Handler ? never : Field]: First[Field] }
          : unknown
        : unknown
  : Record<string, never>;

/** The result as the model reads it: data as JSON, with a text in its place where it was shortened or got feedback. */
type OutputOf<H extends Handler> = Awaited<ReturnType<H>> | string;

type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** `getOrder` is the tool `get_order`. */
type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? (First extends Lowercase<First> ? First : `_${Lowercase<First>}`) : First}${SnakeCase<Rest>}`
  : Text;
