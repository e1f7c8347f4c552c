import { requestProblems, requestRules } from './support/requestRules';
import { testRules } from './support/testRules';

type Fields = Record<string, unknown>;

const user = { role: 'user', content: 'Hello' };
const call = (id: unknown, fn: Fields = {}): Fields => ({
  id,
  type: 'function',
  function: { name: 'find', arguments: '{}', ...fn },
});
const calls = (...tool_calls: Fields[]): Fields => ({ role: 'assistant', content: null, tool_calls });
const says = (tool_call_id: string): Fields => ({ role: 'tool', tool_call_id, content: 'done' });

const messages = (...given: unknown[]): Fields => ({ model: 'm', messages: given });
const closed = (properties: Fields, rest: Fields = {}): Fields => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
});
const tool = (fn: Fields): Fields => ({ type: 'function', function: { name: 'find', parameters: closed({}), ...fn } });
const tools = (...given: unknown[]): Fields => ({ ...messages(user), tools: given });
const strict = (parameters: Fields): Fields => tools(tool({ parameters, strict: true }));
const text = { type: 'string' };
const form = (schema: unknown, rest: Fields = {}): Fields => ({
  ...messages(user),
  response_format: { type: 'json_schema', json_schema: { name: 'Review', schema, strict: true, ...rest } },
});
const format = (response_format: unknown): Fields => ({ ...messages(user), response_format });

/** Objects in objects, so many levels deep. */
const nested = (levels: number): Fields => (levels === 1 ? closed({}) : closed({ deeper: nested(levels - 1) }));
const wide = (count: number): Fields =>
  closed(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${String(index)}`, text])));

const asking = (...content: Fields[]): Fields => messages({ role: 'user', content });

const good: readonly (readonly [string, unknown])[] = [
  ['one message', messages(user)],
  [
    'parts',
    asking(
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
    ),
  ],
  ['only a system message', messages({ role: 'system', content: 'You help.' })],
  ['parts', messages({ role: 'user', content: [{ type: 'text', text: 'Hello' }] })],
  [
    'a whole conversation',
    messages(user, calls(call('a'), call('b')), says('b'), says('a'), { role: 'assistant', content: '' }, user),
  ],
  ['an id that comes again in a later turn', messages(calls(call('a')), says('a'), calls(call('a')), says('a'))],
  ['arguments that do not parse', messages(calls(call('a', { arguments: '{"' })), says('a'))],
  [
    'tools',
    { ...tools(tool({}), tool({ name: 'open', strict: false })), tool_choice: 'auto', parallel_tool_calls: true },
  ],
  ['a tool named by the choice', { ...tools(tool({})), tool_choice: { type: 'function', function: { name: 'find' } } }],
  ['a tool that is not strict', tools(tool({ parameters: { type: 'object', properties: { a: { oneOf: [text] } } } }))],
  ['a strict tool', strict(closed({ a: { type: ['string', 'null'] }, b: { anyOf: [text, { type: 'null' }] } }))],
  [
    'a strict tool with a definition',
    strict(closed({ a: { $ref: '#/$defs/A' } }, { $defs: { A: closed({ a: text }) } })),
  ],
  ['ten levels', strict(nested(10))],
  ['5,000 properties', strict(wide(5_000))],
  ['a form of the answer', form(closed({ items: { type: 'array', items: closed({ a: text }) } }))],
  ['a form that is not strict', form({ type: 'object', properties: { a: text } }, { strict: false })],
  ['any JSON as the answer', format({ type: 'json_object' })],
  ['figures in range', { ...messages(user), temperature: 2, top_p: null, max_completion_tokens: 1 }],
];

const bad: readonly (readonly [string, string, unknown])[] = [
  ['body', 'a body that is no object', []],
  ['model', 'no model', { messages: [user] }],
  ['model', 'a model without a name', { ...messages(user), model: '' }],
  ['known-keys', 'an unknown field', { ...messages(user), instructions: 'x' }],
  ['messages', 'no messages', messages()],
  ['messages', 'messages that are no list', { model: 'm', messages: {} }],
  ['tool-choice', 'a choice without tools', { ...messages(user), tool_choice: 'auto' }],
  ['tool-choice', 'an unknown choice', { ...tools(tool({})), tool_choice: 'any' }],
  [
    'tool-choice',
    'a choice of no offered tool',
    { ...tools(tool({})), tool_choice: { type: 'function', function: { name: 'x' } } },
  ],
  ['parallel-tool-calls', 'parallel calls without tools', { ...messages(user), parallel_tool_calls: true }],
  ['stop', 'five texts to stop at', { ...messages(user), stop: ['a', 'b', 'c', 'd', 'e'] }],
  [
    'message-content',
    'the address of a file',
    asking({ type: 'file', file: { file_url: 'https://example.com/a.pdf' } }),
  ],
  [
    'message-content',
    'audio of another format',
    asking({ type: 'input_audio', input_audio: { data: 'AA==', format: 'ogg' } }),
  ],
  ['message-content', 'an image without an address', asking({ type: 'image_url', image_url: {} })],
  ['range', 'a temperature of 3', { ...messages(user), temperature: 3 }],
  ['stream-options', 'options of a stream without one', { ...messages(user), stream_options: {} }],
  ['message-role', 'an unknown role', messages({ role: 'function', content: 'x' })],
  ['message-role', 'a message that is a text', messages('Hello')],
  ['message-keys', 'an unknown field of a message', messages({ ...user, toolCalls: [] })],
  ['message-keys', 'a tool message that says failed', messages(calls(call('a')), { ...says('a'), failed: true })],
  ['message-content', 'a user who says null', messages({ role: 'user', content: null })],
  ['message-content', 'an assistant without text or calls', messages({ role: 'assistant', content: null })],
  ['message-content', 'an object as content', messages({ role: 'user', content: { text: 'x' } })],
  [
    'message-content',
    'an image in a tool message',
    messages(calls(call('a')), { ...says('a'), content: [{ type: 'image_url', image_url: {} }] }),
  ],
  ['message-content', 'a tool that says a number', messages(calls(call('a')), { ...says('a'), content: 7 })],
  ['calls-shape', 'an empty list of calls', messages({ role: 'assistant', content: 'x', tool_calls: [] })],
  ['calls-shape', 'a call without a type', messages(calls({ ...call('a'), type: undefined }), says('a'))],
  ['call-id', 'a call without an id', messages(calls(call('')), says(''))],
  ['call-id', 'an id of 41 characters', messages(calls(call('x'.repeat(41))), says('x'.repeat(41)))],
  ['call-id-unique', 'ADPT-04: two calls with one id', messages(calls(call('x'), call('x')), says('x'))],
  ['call-name', 'a call of a name with a dot', messages(calls(call('a', { name: 'functions.find' })), says('a'))],
  ['call-arguments', 'arguments as an object', messages(calls(call('a', { arguments: {} })), says('a'))],
  ['call-arguments', 'arguments that are null', messages(calls(call('a', { arguments: null })), says('a'))],
  ['calls-answered', 'a call that nobody answers', messages(calls(call('a')), user)],
  ['calls-answered', 'a call at the end', messages(calls(call('a'), call('b')), says('a'))],
  ['calls-answered answer-to-call', 'an answer that comes too late', messages(calls(call('a')), user, says('a'))],
  ['answer-to-call', 'an answer without a call', messages(user, says('a'))],
  [
    'answer-to-call',
    'an answer to a call of an earlier turn',
    messages(calls(call('a')), says('a'), calls(call('b')), says('b'), says('a')),
  ],
  ['answer-once', 'two answers to one call', messages(calls(call('a')), says('a'), says('a'))],
  ['tools-count', 'an empty list of tools', tools()],
  [
    'tools-count',
    '129 tools',
    tools(...Array.from({ length: 129 }, (_, index) => tool({ name: `t${String(index)}` }))),
  ],
  ['tool-shape', 'a tool without a function', tools({ type: 'function', name: 'find' })],
  ['tool-shape', 'an unknown field of a function', tools(tool({ title: 'Find' }))],
  ['tool-shape', 'strict as a text', tools(tool({ strict: 'yes' }))],
  ['tool-name', 'a name of 65 characters', tools(tool({ name: 'x'.repeat(65) }))],
  ['tool-name', 'a name with a space', tools(tool({ name: 'find it' }))],
  ['tool-name-unique', 'one name twice', tools(tool({}), tool({}))],
  ['tool-description', 'a description of 1,025 characters', tools(tool({ description: 'x'.repeat(1_025) }))],
  ['parameters-object', 'parameters without a type', tools(tool({ parameters: { properties: {} } }))],
  ['parameters-object', 'a union at the root', tools(tool({ parameters: { type: 'object', anyOf: [closed({})] } }))],
  ['parameters-schema', 'an unknown type', tools(tool({ parameters: closed({ a: { type: 'date' } }) }))],
  ['parameters-schema', 'a list of nothing said', tools(tool({ parameters: closed({ a: { type: 'array' } }) }))],
  [
    'parameters-schema',
    'required: true',
    tools(tool({ parameters: { type: 'object', properties: { a: { ...text, required: true } } } })),
  ],
  ['response-format', 'a form that is a text', format('json')],
  ['response-format', 'an unknown type of form', format({ type: 'yaml' })],
  ['response-format', 'a form without a schema', format({ type: 'json_schema' })],
  ['response-format', 'an unknown field of a form', form(closed({}), { title: 'x' })],
  ['response-format', 'an unknown field beside json_object', format({ type: 'json_object', schema: {} })],
  ['response-format', 'strict as a text, of a form', form(closed({}), { strict: 'yes' })],
  ['response-name', 'a form with a name with a space', form(closed({}), { name: 'a b' })],
  ['response-name', 'a form without a name', form(closed({}), { name: undefined })],
  ['response-schema', 'a form that is a list', form({ type: 'array', items: text })],
  ['response-schema', 'a form with a union at the root', form({ ...closed({}), anyOf: [closed({})] })],
  ['response-schema', 'a form with an unknown type', form(closed({ a: { type: 'date' } }))],
  ['response-schema', 'a form of nothing', form(undefined)],
  ['strict-closed', 'a strict form that is open', form({ ...closed({}), additionalProperties: undefined })],
  ['strict-closed', 'an open object', strict({ ...closed({}), additionalProperties: undefined })],
  ['strict-closed', 'a map', strict(closed({ a: { type: 'object', additionalProperties: text } }))],
  [
    'strict-closed',
    'an open object in a list, or null',
    strict(closed({ a: { type: 'array', items: { type: ['object', 'null'], properties: {}, required: [] } } })),
  ],
  ['strict-required', 'an optional property', strict({ ...closed({ a: text }), required: [] })],
  [
    'strict-required',
    'an optional property of a definition',
    strict(closed({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { ...closed({ b: text }), required: [] } } })),
  ],
  ['strict-keywords', 'a default', strict(closed({ a: { ...text, default: 'x' } }))],
  ['strict-keywords', 'a length', strict(closed({ a: { ...text, minLength: 1 } }))],
  ['strict-keywords', 'unique items', strict(closed({ a: { type: 'array', items: text, uniqueItems: true } }))],
  ['strict-format', 'a format that is not known', strict(closed({ a: { ...text, format: 'uri' } }))],
  ['strict-type', 'a property of any type', strict(closed({ a: { description: 'anything' } }))],
  [
    'strict-ref',
    'a description beside a reference',
    strict(closed({ a: { $ref: '#/$defs/A', description: 'x' } }, { $defs: { A: closed({}) } })),
  ],
  ['strict-ref', 'a reference that leads nowhere', strict(closed({ a: { $ref: '#/$defs/toString' } }, { $defs: {} }))],
  ['strict-limits', 'eleven levels', strict(nested(11))],
  ['strict-limits', '5,001 properties', strict(wide(5_001))],
  [
    'strict-limits',
    '1,001 values',
    strict(closed({ a: { ...text, enum: Array.from({ length: 1_001 }, (_, index) => String(index)) } })),
  ],
];

describe('the rules of the provider double', () => {
  testRules({
    rules: requestRules,
    problemsOf: requestProblems,
    good,
    bad,
    nonsense: { messages: [null, 7, []], tools: [null, { function: null }, 7] },
  });
});
