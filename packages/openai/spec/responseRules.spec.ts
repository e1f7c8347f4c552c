import { responseProblems, responseRules } from './support/responseRules';
import { testRules } from './support/testRules';

type Fields = Record<string, unknown>;

const user = { role: 'user', content: 'Hello' };
const said = { role: 'assistant', content: 'Hi.' };
const call = (call_id: unknown, rest: Fields = {}): Fields => ({
  type: 'function_call',
  call_id,
  name: 'find',
  arguments: '{}',
  ...rest,
});
const output = (call_id: unknown, rest: Fields = {}): Fields => ({
  type: 'function_call_output',
  call_id,
  output: 'done',
  ...rest,
});
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };

const input = (...items: unknown[]): Fields => ({ model: 'm', input: items });
const closed = (properties: Fields, rest: Fields = {}): Fields => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
});
const tool = (rest: Fields = {}): Fields => ({
  type: 'function',
  name: 'find',
  parameters: closed({}),
  strict: false,
  ...rest,
});
const tools = (...given: unknown[]): Fields => ({ ...input(user), tools: given });
const strict = (parameters: Fields): Fields => tools(tool({ parameters, strict: true }));
const text = { type: 'string' };
const form = (schema: unknown, rest: Fields = {}): Fields => ({
  ...input(user),
  text: { format: { type: 'json_schema', name: 'Review', schema, strict: true, ...rest } },
});
const nested = (levels: number): Fields => (levels === 1 ? closed({}) : closed({ deeper: nested(levels - 1) }));

const addition = (...given: Fields[]): Fields => ({
  type: 'additional_tools',
  role: 'developer',
  tools: given.length === 0 ? [tool({ name: 'pay' })] : given,
});
const adding = (...items: unknown[]): Fields => ({ ...input(user, ...items), model: 'gpt-5.6-sol', tools: [tool()] });

const search = (rest: Fields = {}): Fields => ({
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: closed({ query: text }),
  ...rest,
});
const looks = (call_id: unknown, rest: Fields = {}): Fields => ({
  type: 'tool_search_call',
  call_id,
  execution: 'client',
  arguments: { query: 'pay' },
  ...rest,
});
const found = (call_id: unknown, rest: Fields = {}): Fields => ({
  type: 'tool_search_output',
  call_id,
  execution: 'client',
  tools: [tool({ name: 'pay', defer_loading: true })],
  ...rest,
});
const searching = (...items: unknown[]): Fields => ({
  ...input(user, ...items),
  model: 'gpt-5.4',
  tools: [tool(), search()],
});

const good: readonly (readonly [string, unknown])[] = [
  ['a text', { model: 'm', input: 'Hello' }],
  ['only a system message', input({ role: 'system', content: 'You help.' })],
  ['parts', input({ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] })],
  [
    'a whole conversation',
    input(user, reasoning, said, call('a'), call('b'), output('b'), output('a'), { ...said, phase: 'final_answer' }),
  ],
  ['arguments that do not parse', input(call('a', { arguments: '{"' }), output('a'))],
  ['an empty output', input(call('a'), output('a', { output: '' }))],
  ['stored reasoning', { ...input({ ...reasoning, encrypted_content: null }, said), store: true }],
  ['what is included', { ...input(user), include: ['reasoning.encrypted_content'], store: false }],
  ['tools', { ...tools(tool(), tool({ name: 'open', strict: true })), tool_choice: 'auto', parallel_tool_calls: true }],
  ['a tool named by the choice', { ...tools(tool()), tool_choice: { type: 'function', name: 'find' } }],
  ['a tool that is searched for', tools(tool({ defer_loading: true }), { type: 'tool_search' })],
  [
    'what was found',
    input(
      { type: 'tool_search_call', id: 't', arguments: {}, call_id: null, execution: 'server', status: 'completed' },
      { type: 'tool_search_output', id: 'o', tools: [], call_id: null, execution: 'server', status: 'completed' },
      call('a', { namespace: 'find' }),
      output('a'),
    ),
  ],
  [
    'parts',
    input({
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look.' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
        { type: 'input_file', file_url: 'https://example.com/a.pdf' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
      ],
    }),
  ],
  ['an output of parts', input(call('a'), output('a', { output: [{ type: 'input_text', text: 'x' }] }))],
  ['a turn as it came', input({ ...said, id: 'msg_1', content: [{ type: 'output_text', text: '', annotations: [] }] })],
  [
    'a call of free text',
    input(
      { type: 'custom_tool_call', call_id: 'a', name: 'sql', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'y' },
    ),
  ],
  ['a search that the client answers', searching(looks('a'), found('a'))],
  [
    'two searches of a turn, and nothing found',
    searching(reasoning, looks('a'), looks('b'), call('c'), output('c'), found('b'), found('a', { tools: [] }), user),
  ],
  ['tools that are added', adding(call('a'), output('a'), addition())],
  ['a strict tool', strict(closed({ a: { type: ['string', 'null'] } }))],
  ['a form of the answer', form(closed({ items: { type: 'array', items: closed({ a: text }) } }))],
  ['a verbosity alone', { ...input(user), text: { verbosity: 'low' } }],
  ['figures in range', { ...input(user), temperature: 2, top_p: null, max_output_tokens: 16 }],
];

const bad: readonly (readonly [string, string, unknown])[] = [
  ['body', 'a body that is no object', []],
  ['model', 'no model', { input: 'Hello' }],
  ['known-keys', 'the field of the other API', { ...input(user), messages: [user] }],
  ['input', 'nothing said', input()],
  ['input', 'an empty text', { model: 'm', input: '' }],
  ['include', 'something unknown included', { ...input(user), include: ['everything'] }],
  ['include', 'a text in place of a list', { ...input(user), include: 'reasoning.encrypted_content' }],
  ['store', 'a word for store', { ...input(user), store: 'no' }],
  ['text', 'a text that is none', { ...input(user), text: 'json' }],
  ['text', 'an unknown field of text', { ...input(user), text: { size: 1 } }],
  ['response-format', 'an unknown field of a form', form(closed({}), { title: 'Review' })],
  ['tool-flat tool-name', 'a tool in the form of the other API', tools({ type: 'function', function: tool() })],
  ['tool-flat', 'a tool that says nothing of strict mode', tools({ ...tool(), strict: undefined, title: 'x' })],
  ['tool-flat tools-count', 'a tool of an unknown type', tools({ type: 'weather' })],
  ['search-shape', 'a search that says more', tools(tool({ defer_loading: true }), { type: 'tool_search', name: 'x' })],
  ['tool-deferred', 'a tool that nobody finds', tools(tool({ defer_loading: true }))],
  ['tool-deferred', 'a search of nothing', tools(tool(), { type: 'tool_search' })],
  ['search-supported', 'a search for an older model', { ...searching(), model: 'gpt-5.3' }],
  ['search-shape', 'a search without a schema', { ...searching(), tools: [search({ parameters: undefined })] }],
  ['search-shape', 'two searches', { ...searching(), tools: [search(), search()] }],
  [
    'search-shape tool-deferred',
    'a search of the host',
    { ...searching(), tools: [tool(), search({ execution: 'host' })] },
  ],
  ['search-declared', 'a search that is not declared', { ...searching(looks('a'), found('a')), tools: [tool()] }],
  ['search-declared', 'a search that does not say who answers', searching(looks(null, { execution: undefined }))],
  ['search-answered', 'a result of the provider', searching(looks('a'), found('a', { execution: 'server' }))],
  ['search-arguments', 'a search without arguments', searching(looks('a', { arguments: undefined }), found('a'))],
  ['search-id', 'a search without an id', searching(looks(''), found(''))],
  ['search-id', 'a search with the id of a call', searching(call('a'), output('a'), looks('a'), found('a'))],
  ['search-answered', 'a search without a result', searching(looks('a'))],
  ['search-answered', 'a result without a search', searching(found('a'))],
  ['search-answered search-found', 'two results of one search', searching(looks('a'), found('a'), found('a'))],
  ['search-answered', 'a result before its search', searching(found('a'), looks('a'))],
  ['search-answered answer-to-call', 'a result in the form of a function', searching(looks('a'), output('a'))],
  ['search-found', 'a found tool that is offered', searching(looks('a'), found('a', { tools: [tool()] }))],
  [
    'search-found',
    'a found tool without strict mode',
    searching(looks('a'), found('a', { tools: [{ ...tool({ name: 'pay' }), strict: undefined }] })),
  ],
  [
    'search-found',
    'a found tool with an unknown field',
    searching(looks('a'), found('a', { tools: [tool({ name: 'pay', title: 'x' })] })),
  ],
  ['item-shape', 'a result with a text', searching(looks('a'), found('a', { output: 'Found.' }))],
  ['item-shape', 'a search with the field of an answer', searching(looks('a', { created_by: 'x' }), found('a'))],
  ['tool-choice', 'a choice without tools', { ...input(user), tool_choice: 'auto' }],
  ['tool-choice', 'an unknown choice', { ...tools(tool()), tool_choice: 'any' }],
  ['tool-choice', 'a choice of no offered tool', { ...tools(tool()), tool_choice: { type: 'function', name: 'x' } }],
  ['max-output-tokens', 'fifteen tokens', { ...input(user), max_output_tokens: 15 }],
  ['parallel-tool-calls', 'parallel calls without tools', { ...input(user), parallel_tool_calls: true }],
  ['range', 'a temperature of 3', { ...input(user), temperature: 3 }],
  ['stream-options', 'options of a stream without one', { ...input(user), stream_options: {} }],
  ['item-shape', 'an item that is a text', input('Hello')],
  ['item-shape', 'an item of an unknown type', input({ type: 'weather' })],
  ['item-shape', 'a message of the other API', input({ ...said, tool_calls: [] })],
  ['item-shape', 'an output that says failed', input(call('a'), output('a', { failed: true }))],
  ['message-content', 'an unknown role', input({ role: 'tool', content: 'x' })],
  ['message-content', 'a message that says null', input({ role: 'assistant', content: null })],
  ['message-content', 'a user with a phase', input({ ...user, phase: 'commentary' })],
  ['message-content', 'an unknown phase', input({ ...said, phase: 'last' })],
  ['call-id', 'a call without an id', input(call(''), output(''))],
  ['call-id', 'an id of 65 characters', input(call('x'.repeat(65)), output('x'.repeat(65)))],
  ['call-id-unique', 'ADPT-04: an id that comes again', input(call('x'), output('x'), call('x'))],
  ['call-name', 'a call of a name with a dot', input(call('a', { name: 'functions.find' }), output('a'))],
  ['call-arguments', 'arguments as an object', input(call('a', { arguments: {} }), output('a'))],
  ['answer-output', 'an output that is an object', input(call('a'), output('a', { output: {} }))],
  ['message-content', 'audio', input({ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] })],
  [
    'message-content',
    'bytes without a name',
    input({ role: 'user', content: [{ type: 'input_file', file_data: 'data:' }] }),
  ],
  [
    'message-content',
    'a user who speaks as the model',
    input({ ...user, content: [{ type: 'output_text', text: 'x' }] }),
  ],
  ['answer-output', 'an output of audio', input(call('a'), output('a', { output: [{ type: 'input_audio' }] }))],
  ['added-supported', 'tools added for an older model', { ...adding(addition()), model: 'gpt-5.4' }],
  ['added-shape', 'tools that a user adds', adding({ ...addition(), role: 'user' })],
  ['added-shape', 'no tools', adding({ ...addition(), tools: [] })],
  ['added-name', 'a tool that is offered', adding(addition(tool()))],
  ['added-name', 'a tool that was added', adding(addition(), addition())],
  ['added-place', 'tools before the result', adding(call('a'), addition(), output('a'))],
  ['calls-answered', 'a call that nobody answers', input(call('a'), user)],
  ['answer-to-call', 'an output without a call', input(user, output('a'))],
  ['answer-to-call', 'two outputs of one call', input(call('a'), output('a'), output('a'))],
  ['answer-to-call', 'an output before its call', input(output('a'), call('a'))],
  ['reasoning-stored', 'reasoning that nobody kept', input({ ...reasoning, encrypted_content: null }, said)],
  ['reasoning-followed', 'reasoning before a user', input(reasoning, user)],
  ['reasoning-followed', 'reasoning at the end', input(user, reasoning)],
  ['tools-count', 'an empty list of tools', tools()],
  ['tools-count', '129 tools', tools(...Array.from({ length: 129 }, (_, at) => tool({ name: `t${String(at)}` })))],
  ['tool-name', 'a name of 65 characters', tools(tool({ name: 'x'.repeat(65) }))],
  ['tool-name-unique', 'one name twice', tools(tool(), tool())],
  ['tool-description', 'a description of 1,025 characters', tools(tool({ description: 'x'.repeat(1_025) }))],
  ['parameters-object', 'parameters without a type', tools(tool({ parameters: { properties: {} } }))],
  ['parameters-schema', 'an unknown type', tools(tool({ parameters: closed({ a: { type: 'date' } }) }))],
  ['response-format', 'an unknown type of form', { ...input(user), text: { format: { type: 'yaml' } } }],
  ['response-name', 'a form with a name with a space', form(closed({}), { name: 'a b' })],
  ['response-schema', 'a form that is a list', form({ type: 'array', items: text })],
  ['strict-closed', 'a strict form that is open', form({ ...closed({}), additionalProperties: undefined })],
  ['strict-required', 'an optional property', strict({ ...closed({ a: text }), required: [] })],
  ['strict-keywords', 'a length', strict(closed({ a: { ...text, minLength: 1 } }))],
  ['strict-format', 'a format that is not known', strict(closed({ a: { ...text, format: 'uri' } }))],
  ['strict-type', 'a property of any type', strict(closed({ a: { description: 'anything' } }))],
  ['strict-ref', 'a reference that leads nowhere', strict(closed({ a: { $ref: '#/$defs/A' } }, { $defs: {} }))],
  ['strict-limits', 'eleven levels', strict(nested(11))],
];

describe('the rules of the Responses double', () => {
  testRules({
    rules: responseRules,
    problemsOf: responseProblems,
    good,
    bad,
    nonsense: { input: [null, 7, []], tools: [null, 7], text: { format: 7 } },
  });
});
