import type { ToolSchema } from 'toolwright/adapters';
import { writeChatTools } from '../src/writeTools';
import { thrownBy } from './support/thrownBy';

function schema(fields: Partial<ToolSchema> = {}): ToolSchema {
  const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false };
  return { name: 'find', description: 'Finds.', parameters, strict: true, ...fields };
}

const many = (count: number): ToolSchema[] =>
  Array.from({ length: count }, (_, index) => schema({ name: `tool_${String(index)}` }));

describe('chatTools', () => {
  test('a tool is written as a function, strict or not as its schema says', () => {
    const { parameters } = schema();
    expect(writeChatTools('openai:m', [schema(), schema({ name: 'open', strict: false })])).toEqual([
      { type: 'function', function: { name: 'find', description: 'Finds.', parameters, strict: true } },
      { type: 'function', function: { name: 'open', description: 'Finds.', parameters, strict: false } },
    ]);
    expect(writeChatTools('openai:m', [])).toEqual([]);
  });

  test('ADPT-10: the limits themselves are fine', () => {
    expect(writeChatTools('openai:m', many(128))).toHaveLength(128);
    const longest = schema({ name: 'n'.repeat(64), description: 'd'.repeat(1_024) });
    expect(writeChatTools('openai:m', [longest])).toHaveLength(1);
  });

  test.each<[string, ToolSchema[], string]>([
    ['129 tools', many(129), '129 tools are offered, at most 128 are allowed'],
    [
      'a name of 65 characters',
      [schema({ name: 'n'.repeat(65) })],
      `the tool name "${'n'.repeat(65)}" has 65 characters, at most 64 are allowed`,
    ],
    [
      'a description of 1,025 characters',
      [schema({ description: 'd'.repeat(1_025) })],
      'the description of "find" has 1025 characters, at most 1024 are allowed',
    ],
    [
      'a name with a dot',
      [schema({ name: 'files.read' })],
      'the tool name "files.read" has characters other than a-z, A-Z, 0-9, _ and -',
    ],
  ])('ADPT-10: %s is refused with the limit in the message', (_name, schemas, limit) => {
    const error = thrownBy(() => writeChatTools('openai:m', schemas));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E701' });
    expect(error.message).toBe(`openai:m would refuse the request: ${limit}.`);
  });

  test('ADPT-10: every limit that is exceeded is named, in a message that stays short', () => {
    const schemas = many(200).map((tool) => ({ ...tool, name: `${tool.name}.${'x'.repeat(500)}` }));
    const { message } = thrownBy(() => writeChatTools('openai:m', schemas));
    expect(message).toContain('200 tools are offered');
    expect(message).toContain('and 396 more');
    expect(message.length).toBeLessThan(1_200);
  });
});
