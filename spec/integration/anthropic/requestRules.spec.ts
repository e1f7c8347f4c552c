import { requestProblems, requestRules } from '../../support/anthropic/requestRules';
import { testRules } from '../../support/openai/testRules';

type Fields = Record<string, unknown>;

const text = (words: string): Fields => ({ type: 'text', text: words });
const user = { role: 'user', content: 'Hello' };
const says = (...content: unknown[]): Fields => ({ role: 'user', content });
const answers = (...content: unknown[]): Fields => ({ role: 'assistant', content });
const call = (id: unknown, rest: Fields = {}): Fields => ({ type: 'tool_use', id, name: 'find', input: {}, ...rest });
const result = (id: unknown, rest: Fields = {}): Fields => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'done',
  ...rest,
});
const messages = (...given: unknown[]): Fields => ({ model: 'm', max_tokens: 100, messages: given });
const closed = (properties: Fields, rest: Fields = {}): Fields => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
});
const tool = (rest: Fields): Fields => ({ name: 'find', description: 'Finds.', input_schema: closed({}), ...rest });
const tools = (...given: unknown[]): Fields => ({ ...messages(user), tools: given });
const strict = (schema: Fields): Fields => tools(tool({ input_schema: schema, strict: true }));
const word = { type: 'string' };
const form = (format: unknown): Fields => ({ ...messages(user), output_config: { format } });
const mark = { cache_control: { type: 'ephemeral' } };
const optional = (count: number): Fields =>
  closed(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${String(index)}`, word])), {
    required: [],
  });

const good: readonly (readonly [string, unknown])[] = [
  ['one message', messages(user)],
  ['a prompt', { ...messages(user), system: 'You help.' }],
  ['a prompt in blocks, marked', { ...messages(user), system: [{ ...text('You help.'), ...mark }] }],
  [
    'a whole conversation',
    messages(
      user,
      answers(text('Looking.'), call('a'), call('b')),
      says(result('b'), result('a', { is_error: true }), text('Go on.')),
      answers(text('Done.')),
      user,
    ),
  ],
  ['signed thinking', messages(user, answers({ type: 'thinking', thinking: '', signature: 'x' }, text('Hi.')), user)],
  ['an empty result', messages(user, answers(call('a')), says(result('a', { content: undefined })))],
  ['a result of texts', messages(user, answers(call('a')), says(result('a', { content: [text('one')] })))],
  ['tools', { ...tools(tool({}), tool({ name: 'open' })), tool_choice: { type: 'tool', name: 'open' } }],
  [
    'a tool that says anything',
    tools(tool({ input_schema: { type: 'object', properties: { a: { oneOf: [word] } } } })),
  ],
  ['a strict tool', strict(closed({ a: { anyOf: [word, { type: 'null' }] }, b: { type: 'array', items: word } }))],
  [
    'a tool that is searched for',
    tools({ type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }, tool({ defer_loading: true })),
  ],
  ['24 optional properties', strict(optional(24))],
  ['a form of the answer', form({ type: 'json_schema', schema: closed({ a: word }) })],
  ['four marks', messages(says(...['a', 'b', 'c', 'd'].map((words) => ({ ...text(words), ...mark }))))],
];

const bad: readonly (readonly [string, string, unknown])[] = [
  ['body', 'a body that is no object', []],
  ['required', 'no model', { max_tokens: 1, messages: [user] }],
  ['required', 'no limit of tokens', { model: 'm', messages: [user] }],
  ['required', 'no messages', messages()],
  ['known-keys', 'an unknown field', { ...messages(user), max_completion_tokens: 1 }],
  ['system', 'a prompt that is a number', { ...messages(user), system: 7 }],
  ['system', 'a blank prompt', { ...messages(user), system: [text(' ')] }],
  ['output-format', 'a form of OpenAI', form({ type: 'json_object' })],
  ['output-format', 'a form with a name', form({ type: 'json_schema', name: 'Review', schema: closed({}) })],
  ['output-format', 'a form that is a list', form({ type: 'json_schema', schema: { type: 'array', items: word } })],
  [
    'cache-marks',
    'five marks',
    messages(says(...['a', 'b', 'c', 'd', 'e'].map((words) => ({ ...text(words), ...mark })))),
  ],
  [
    'cache-marks',
    'a mark for a day',
    messages(says({ ...text('a'), cache_control: { type: 'ephemeral', ttl: '1d' } })),
  ],
  ['message-role', 'a system message in the conversation', messages(user, { role: 'system', content: 'x' })],
  ['message-role', 'a message that is a text', messages(user, 'Hello')],
  ['message-role', 'an unknown field of a message', messages({ ...user, name: 'x' })],
  ['first-message', 'an assistant who speaks first', messages(answers(text('Hi.')), user)],
  ['roles-alternate', 'two messages of a user', messages(user, user)],
  ['content', 'blank content', messages({ role: 'user', content: ' ' })],
  ['content', 'no blocks', messages(says())],
  ['block-shape', 'thinking of a user', messages(says({ type: 'redacted_thinking', data: 'x' }))],
  ['block-shape', 'an unknown block', messages(says({ type: 'input_text', text: 'x' }))],
  ['block-shape', 'an unknown field of a block', messages(says({ ...text('x'), role: 'user' }))],
  ['text-blank', 'a blank text', messages(says(text(' \n')))],
  ['thinking-signed', 'thinking without its signature', messages(user, answers({ type: 'thinking', thinking: 'x' }))],
  ['call-shape', 'an id with a dot', messages(user, answers(call('a.b')), says(result('a.b')))],
  [
    'call-shape',
    'a name with a dot',
    messages(user, answers(call('a', { name: 'functions.find' })), says(result('a'))),
  ],
  ['call-shape', 'arguments as text', messages(user, answers(call('a', { input: '{}' })), says(result('a')))],
  [
    'call-id-unique',
    'ADPT-04: an id that comes again in a later turn',
    messages(user, answers(call('a')), says(result('a')), answers(call('a')), says(result('a'))),
  ],
  ['calls-answered', 'a call that nobody answers', messages(user, answers(call('a')), user)],
  ['calls-answered', 'a call at the end', messages(user, answers(call('a'), call('b')), says(result('a')))],
  ['answer-to-call', 'an answer without a call', messages(says(result('a')))],
  ['answer-to-call', 'two answers to one call', messages(user, answers(call('a')), says(result('a'), result('a')))],
  ['answers-first', 'text before an answer', messages(user, answers(call('a')), says(text('x'), result('a')))],
  [
    'answer-content',
    'a result that is a number',
    messages(user, answers(call('a')), says(result('a', { content: 7 }))),
  ],
  [
    'answer-content',
    'a failure without words',
    messages(user, answers(call('a')), says(result('a', { content: '', is_error: true }))),
  ],
  ['tool-shape', 'a tool of OpenAI', tools({ ...tool({}), type: 'function' })],
  ['tool-name', 'a name of 65 characters', tools(tool({ name: 'x'.repeat(65) }))],
  ['tool-name-unique', 'one name twice', tools(tool({}), tool({}))],
  ['input-schema', 'a union at the root', tools(tool({ input_schema: { type: 'object', anyOf: [closed({})] } }))],
  ['input-schema', 'an unknown type', tools(tool({ input_schema: closed({ a: { type: 'date' } }) }))],
  ['property-keys', 'ARG-24: a property with a dollar sign', tools(tool({ input_schema: closed({ $filter: word }) }))],
  [
    'property-keys',
    'ARG-24: a property of 65 characters',
    tools(tool({ input_schema: closed({ ['x'.repeat(65)]: word }) })),
  ],
  ['input-examples', 'no example in a list of them', tools(tool({ input_examples: [] }))],
  ['input-examples', 'an example that is a text', tools(tool({ input_examples: ['x'] }))],
  ['input-examples', 'an example of something unknown', tools(tool({ input_examples: [{ zip: 1 }] }))],
  [
    'input-examples',
    'an example without what is required',
    tools(tool({ input_schema: closed({ a: word }), input_examples: [{}] })),
  ],
  ['tool-deferred', 'a deferred tool that nobody finds', tools(tool({ defer_loading: true }))],
  [
    'tool-deferred',
    'a deferred tool that is marked',
    tools(
      { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
      tool({ defer_loading: true, ...mark }),
    ),
  ],
  ['tool-choice', 'a choice without tools', { ...messages(user), tool_choice: { type: 'auto' } }],
  ['tool-choice', 'a choice as OpenAI says it', { ...tools(tool({})), tool_choice: 'auto' }],
  ['tool-choice', 'a choice of no offered tool', { ...tools(tool({})), tool_choice: { type: 'tool', name: 'x' } }],
  ['strict-closed', 'an open object', strict({ ...closed({}), additionalProperties: undefined })],
  ['strict-closed', 'a form that is open', form({ type: 'json_schema', schema: { type: 'object', properties: {} } })],
  ['strict-keywords', 'a length', strict(closed({ a: { ...word, minLength: 1 } }))],
  ['strict-keywords', 'a format that is not known', strict(closed({ a: { ...word, format: 'regex' } }))],
  ['strict-keywords', 'a list of two at least', strict(closed({ a: { type: 'array', items: word, minItems: 2 } }))],
  ['strict-type', 'a list of types', strict(closed({ a: { type: ['string', 'null'] } }))],
  ['strict-recursion', 'a schema that leads back to itself', strict(closed({ a: { $ref: '#' } }))],
  ['strict-limits', '25 optional properties', strict(optional(25))],
  [
    'strict-limits',
    '21 strict tools',
    tools(...Array.from({ length: 21 }, (_, index) => tool({ name: `t${String(index)}`, strict: true }))),
  ],
];

describe('the rules of the double of Anthropic', () => {
  testRules({
    rules: requestRules,
    problemsOf: requestProblems,
    good,
    bad,
    nonsense: { messages: [null, 7, []], tools: [null, 7], system: [7], output_config: 7 },
  });
});
