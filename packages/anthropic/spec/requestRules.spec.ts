import { requestProblems, requestRules } from './support/requestRules';
import { testRules } from '../../openai/spec/support/testRules';

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

const operator = (...content: unknown[]): Fields => ({ role: 'system', content });
const change = (type: string, name: string): Fields => ({
  type: `tool_${type}`,
  tool: { type: 'tool_reference', name },
});
const defining = (name: string): Fields => ({
  type: 'tool_addition',
  tool: { type: 'tool_definition', definition: tool({ name }) },
});
const betas = ['mid-conversation-tool-changes-2026-07-01'];
const bindingBeta = ['thinking-binding-controls-2026-08-01'];
const binding = (prefix_mismatch_behavior: string): Fields => ({
  type: 'adaptive',
  block_binding: { prefix_mismatch_behavior },
});
const talk = (...given: unknown[]): Fields => ({ ...messages(...given), model: 'claude-opus-5-5' });
const paused = answers(text('Let me see.'), { type: 'server_tool_use', id: 's', name: 'web_search', input: {} });
/** A conversation in which a tool is offered. */
const changing = (rest: Fields, given: unknown = change('addition', 'open')): Fields => ({
  ...talk(user, operator(given)),
  tools: [tool({}), tool({ name: 'open', defer_loading: true })],
  betas,
  ...rest,
});
const image = (source: Fields): Fields => ({ type: 'image', source });

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
  ['a tool that is added in the conversation', changing({})],
  [
    'a tool that is removed, with words',
    { ...changing({}), messages: [user, operator(change('removal', 'find'), text('Gone.'))] },
  ],
  [
    'a tool that is defined in the conversation',
    changing({ betas: [...betas, 'inline-tools-2026-09-15'] }, defining('new')),
  ],
  [
    'a system message between turns, and one behind results',
    talk(user, operator(text('x')), answers(call('a')), says(result('a')), operator(text('y'))),
  ],
  ['words to a paused answer', talk(user, paused, operator(text('x')))],
  ['a binding with its beta', { ...messages(user), betas: bindingBeta, thinking: binding('drop_block') }],
  ['a choice that forces nothing', { ...tools(tool({})), model: 'claude-opus-5-5', tool_choice: { type: 'auto' } }],
  ['a blank text beside others', messages(user, answers(text(''), text('Hi.')), user)],
  [
    'images and documents',
    messages(
      says(
        image({ type: 'url', url: 'https://x/y.png' }),
        image({ type: 'base64', media_type: 'image/png', data: 'x' }),
        { type: 'document', title: 'A', source: { type: 'text', media_type: 'text/plain', data: 'x' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'x' } },
      ),
    ),
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
  ['message-role', 'a message of a tool', messages(user, { role: 'tool', content: 'x' })],
  ['system-model', 'a system message to an older model', messages(user, { role: 'system', content: 'x' })],
  ['system-model', 'a system message to a model that it is not known of', changing({ model: 'claude-opus-5-2' })],
  ['first-message system-place', 'a system message at the beginning', talk(operator(text('x')), user)],
  ['system-place', 'a system message behind an answer', talk(user, answers(text('Hi.')), operator(text('x')))],
  ['system-place', 'a system message before a user’s', talk(user, operator(text('x')), user)],
  ['roles-alternate system-place', 'two system messages', talk(user, operator(text('x')), operator(text('y')))],
  [
    'system-place calls-answered answer-to-call',
    'a system message between a call and its result',
    talk(user, answers(call('a')), operator(text('x')), says(result('a'))),
  ],
  [
    'block-shape system-content',
    'thinking of the operator',
    talk(user, operator({ type: 'redacted_thinking', data: 'x' })),
  ],
  ['system-content', 'a change without a tool', changing({}, { type: 'tool_addition' })],
  ['tool-change-beta', 'a tool that is added without the beta', changing({ betas: [] })],
  [
    'tool-change-beta',
    'a tool that is removed without the beta',
    changing({ betas: ['x'] }, change('removal', 'find')),
  ],
  ['tool-change-beta', 'a tool that is defined without the beta', changing({}, defining('new'))],
  [
    'tool-change-paused',
    'a tool that is added to a paused answer',
    { ...changing({}), messages: [user, paused, operator(change('addition', 'open'))] },
  ],
  ['tool_reference_unresolved', 'a tool that nobody knows', changing({}, change('addition', 'pay'))],
  [
    'tool_name_conflict',
    'a definition of a name that is taken',
    changing({ betas: [...betas, 'inline-tools-2026-09-15'] }, defining('find')),
  ],
  [
    'available_tools_limit_exceeded',
    'ten thousand and one deferred tools',
    tools(
      tool({}),
      ...Array.from({ length: 10_001 }, (_, at) =>
        tool({ name: `t${String(at)}`, defer_loading: true, description: '' }),
      ),
    ),
  ],
  ['binding-beta', 'a binding without the beta', { ...messages(user), thinking: binding('drop_block') }],
  ['binding-beta', 'a binding of another word', { ...messages(user), betas: bindingBeta, thinking: binding('ignore') }],
  ['forced-choice', 'a forced call', { ...tools(tool({})), model: 'claude-opus-5-5', tool_choice: { type: 'any' } }],
  [
    'forced-choice',
    'a forced tool',
    { ...tools(tool({})), model: 'claude-fable-5-1', tool_choice: { type: 'tool', name: 'find' } },
  ],
  [
    'source',
    'an image of a type that is not known',
    messages(says(image({ type: 'base64', media_type: 'image/tiff', data: 'x' }))),
  ],
  [
    'source',
    'a file that is neither a PDF nor text',
    messages(says({ type: 'document', source: { type: 'base64', media_type: 'text/csv', data: 'x' } })),
  ],
  ['source', 'an image in a result', messages(user, answers(call('a')), says(result('a', { content: [image({})] })))],
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
  ['text-blank', 'an answer that is blank', messages(user, answers(text('')), user)],
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
