import { isJson, list, objects, shown, strangers, type Json } from '../../../openai/spec/support/json';
import type { RequestRule } from '../../../openai/spec/support/RequestRule';

/** The keys of a block, by type. What a tool of the provider said goes back as it came. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations', 'cache_control'],
  image: ['source', 'cache_control'],
  document: ['source', 'title', 'context', 'citations', 'cache_control'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
  tool_use: ['id', 'name', 'input', 'caller', 'cache_control'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  server_tool_use: ['id', 'name', 'input', 'caller', 'cache_control'],
  tool_search_tool_result: ['tool_use_id', 'content', 'cache_control'],
  web_search_tool_result: ['tool_use_id', 'content', 'caller', 'cache_control'],
  mcp_tool_use: ['id', 'name', 'server_name', 'input', 'cache_control'],
  mcp_tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
  connector_text: ['connector_text', 'signature'],
  fallback: ['from', 'to', 'trigger'],
  tool_addition: ['tool', 'cache_control'],
  tool_removal: ['tool', 'cache_control'],
};
const OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: [
    ...['text', 'tool_use', 'thinking', 'redacted_thinking', 'server_tool_use', 'tool_search_tool_result'],
    ...['web_search_tool_result', 'mcp_tool_use', 'mcp_tool_result', 'connector_text', 'fallback'],
  ],
  system: ['text', 'tool_addition', 'tool_removal'],
};
/** What a result of a tool may hold. */
const RESULT_PARTS = ['text', 'image', 'document', 'search_result', 'tool_reference'];
const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const LEGAL_ID = /^[a-zA-Z0-9_-]+$/;
const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A content block, and its position. */
interface Place {
  readonly place: string;
  readonly block: Json;
}

/** The blocks of one message. */
export function blocksOf(message: unknown): readonly Json[] {
  return isJson(message) ? objects(message['content']).map(([, block]) => block) : [];
}

/** True for an answer that was paused at a call of the provider's own tool: the next one continues it. */
function isContinued(message: unknown): boolean {
  return isJson(message) && message['role'] === 'assistant' && blocksOf(message).at(-1)?.['type'] === 'server_tool_use';
}

/** Every block of the conversation, with its place. */
export function allBlocks({ messages }: Json): readonly Place[] {
  return objects(messages).flatMap(([at, message]) =>
    blocksOf(message).map((block, index) => ({ place: `messages.${String(at)}.content.${String(index)}`, block })),
  );
}

export const messageRules: readonly RequestRule[] = [
  {
    id: 'message-role',
    what: 'Every message is an object of a user, an assistant or the system, and has nothing but role and content.',
    check: ({ messages }) =>
      list(messages).flatMap((message, index) => {
        const place = `messages.${String(index)}`;
        if (!isJson(message) || !Object.hasOwn(OF_ROLE, String(message['role']))) return [`${place}: Unexpected role.`];
        return strangers(message, ['role', 'content']).map((key) => `${place}.${key}: Extra inputs are not permitted`);
      }),
  },
  {
    id: 'first-message',
    what: 'A user speaks first.',
    check: ({ messages }) => {
      const [first] = list(messages);
      return isJson(first) && first['role'] !== 'user' ? ['messages: first message must use the "user" role'] : [];
    },
  },
  {
    id: 'roles-alternate',
    what: 'Roles alternate, but for a paused answer and what continues it; not every server joins messages of one role.',
    check: ({ messages }) =>
      objects(messages).flatMap(([index, { role }], at, all) =>
        at > 0 && all[at - 1]?.[1]['role'] === role && !isContinued(all[at - 1]?.[1])
          ? [`messages.${String(index)}: roles must alternate between "user" and "assistant"`]
          : [],
      ),
  },
  {
    id: 'content',
    what: 'Content is text that is not blank, or a list of blocks that is not empty.',
    check: ({ messages }) =>
      objects(messages).flatMap(([index, { content }]) =>
        (typeof content === 'string' && content.trim() !== '') || list(content).length > 0
          ? []
          : [`messages.${String(index)}: all messages must have non-empty content`],
      ),
  },
  {
    id: 'block-shape',
    what: 'A block is of a type that its role may use, with the known keys.',
    check: ({ messages }) =>
      objects(messages).flatMap(([at, { role, content }]) =>
        list(content).flatMap((block, index) => {
          const place = `messages.${String(at)}.content.${String(index)}`;
          const type = isJson(block) ? String(block['type']) : '';
          if (!isJson(block) || OF_ROLE[String(role)]?.includes(type) !== true)
            return [`${place}: Input tag '${type}' does not match any of the expected tags`];
          return strangers(block, ['type', ...(BLOCKS[type] ?? [])]).map(
            (key) => `${place}.${type}.${key}: Extra inputs are not permitted`,
          );
        }),
      ),
  },
  {
    id: 'text-blank',
    what: 'No text is blank, unless it is a part of an answer that said more.',
    check: ({ messages }) =>
      objects(messages).flatMap(([at, message]) => {
        const isBlank = ({ type, text }: Json): boolean => type === 'text' && shown(text ?? '').trim() === '';
        const blocks = blocksOf(message);
        const isAllowed = message['role'] === 'assistant' && !blocks.every(isBlank);
        return blocks.flatMap((block, index) =>
          isBlank(block) && !isAllowed
            ? [`messages.${String(at)}.content.${String(index)}: text content blocks must contain non-whitespace text`]
            : [],
        );
      }),
  },
  {
    id: 'thinking-signed',
    what: 'Thinking goes back with its signature.',
    check: each('thinking', ({ place, block: { thinking, signature } }) =>
      typeof thinking === 'string' && typeof signature === 'string' && signature !== ''
        ? []
        : [`${place}: Invalid \`signature\` in \`thinking\` block`],
    ),
  },
  {
    id: 'source',
    what: 'Images and documents have a source that the provider can read.',
    check: (body) =>
      allBlocks(body)
        .flatMap(({ place, block }) => [
          { place, block },
          ...objects(block['content']).map(([, part]) => ({ place, block: part })),
        ])
        .flatMap(({ place, block: { type, source } }) =>
          (type !== 'image' && type !== 'document') || isSource(type, source)
            ? []
            : [`${place}.source: Input should be a valid ${type} source`],
        ),
  },
  ...callRules(),
  ...answerRules(),
];

function isSource(type: string, source: unknown): boolean {
  if (!isJson(source)) return false;
  const { type: kind, media_type: media, data, url } = source;
  if (kind === 'url') return typeof url === 'string' && Object.keys(source).length === 2;
  if (typeof data !== 'string' || data === '') return false;
  if (kind === 'text') return type === 'document' && media === 'text/plain';
  return kind === 'base64' && (type === 'image' ? IMAGES : ['application/pdf']).includes(String(media));
}

function callRules(): readonly RequestRule[] {
  return [
    {
      id: 'call-shape',
      what: 'A call has an id and a name of legal characters, and an object as input.',
      check: each('tool_use', ({ place, block: { id, name, input } }) => [
        ...(typeof id === 'string' && LEGAL_ID.test(id)
          ? []
          : [`${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`]),
        ...(typeof name === 'string' && LEGAL_NAME.test(name)
          ? []
          : [`${place}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`]),
        ...(isJson(input) ? [] : [`${place}.tool_use.input: Input should be a valid dictionary`]),
      ]),
    },
    {
      id: 'call-id-unique',
      what: 'No two calls of a conversation have one id.',
      check: (body) => {
        const ids = allBlocks(body).flatMap(({ block: { type, id } }) => (type === 'tool_use' ? [id] : []));
        return ids.some((id, index) => ids.indexOf(id) !== index) ? ['messages: `tool_use` ids must be unique'] : [];
      },
    },
    {
      id: 'calls-answered',
      what: 'Every call is answered in the very next message.',
      check: ({ messages }) =>
        list(messages).flatMap((message, index) => {
          const answered = idsOf(list(messages)[index + 1], 'tool_result', 'tool_use_id');
          const open = idsOf(message, 'tool_use', 'id').filter((id) => !answered.includes(id));
          return open.map(
            (id) =>
              `messages.${String(index)}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${shown(id)}`,
          );
        }),
    },
  ];
}

function answerRules(): readonly RequestRule[] {
  return [
    {
      id: 'answer-to-call',
      what: 'An answer belongs to a call of the message before, and each call has one.',
      check: ({ messages }) =>
        list(messages).flatMap((message, index) => {
          const called = idsOf(list(messages)[index - 1], 'tool_use', 'id');
          const answers = idsOf(message, 'tool_result', 'tool_use_id');
          return answers
            .filter((id, at) => !called.includes(id) || answers.indexOf(id) !== at)
            .map(
              (id) => `messages.${String(index)}: unexpected \`tool_use_id\` found in \`tool_result\`: ${shown(id)}`,
            );
        }),
    },
    {
      id: 'answers-first',
      what: 'Answers stand before anything else in their message.',
      check: ({ messages }) =>
        list(messages).flatMap((message, index) => {
          const types = blocksOf(message).map(({ type }) => type);
          const other = types.findIndex((type) => type !== 'tool_result');
          return other >= 0 && types.lastIndexOf('tool_result') > other
            ? [`messages.${String(index)}: \`tool_result\` blocks must come first`]
            : [];
        }),
    },
    {
      id: 'answer-content',
      what: 'An answer is text or a list of texts, images and documents; one that tells of a failure is not empty.',
      check: each('tool_result', ({ place, block: { content, is_error: failed } }) => {
        const isKnown = list(content).every((part) => isJson(part) && RESULT_PARTS.includes(String(part['type'])));
        if (content !== undefined && typeof content !== 'string' && (!Array.isArray(content) || !isKnown))
          return [`${place}.tool_result.content: Input should be a valid string or list`];
        const isEmpty = content === undefined || content === '' || (Array.isArray(content) && content.length === 0);
        return failed === true && isEmpty
          ? [`${place}.tool_result: content cannot be empty if \`is_error\` is true`]
          : [];
      }),
    },
  ];
}

function idsOf(message: unknown, type: string, key: string): readonly unknown[] {
  return blocksOf(message).flatMap((block) => (block['type'] === type ? [block[key]] : []));
}

/** A rule on every block of a type. */
function each(type: string, check: (place: Place) => readonly string[]): RequestRule['check'] {
  return (body) => allBlocks(body).flatMap((found) => (found.block['type'] === type ? check(found) : []));
}
