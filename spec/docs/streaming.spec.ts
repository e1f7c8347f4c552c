import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamEvent } from 'toolwright';

// A record, so that the compiler checks for every kind; the fields that its events have besides kind and turn.
const fields: {
  readonly [K in StreamEvent['kind']]: readonly Exclude<keyof Extract<StreamEvent, { kind: K }>, 'kind' | 'turn'>[];
} = {
  text: ['text'],
  reasoning: ['text'],
  tool_input: ['id', 'name', 'text'],
  retry: ['waitMs', 'problem', 'adapter'],
  answer: ['text', 'toolCalls', 'finishReason', 'usage'],
  begun: ['call', 'id', 'name', 'arguments'],
  progress: ['call', 'id', 'name', 'value'],
  outcome: ['call', 'name', 'outcome', 'message', 'opened'],
  note: ['about', 'message'],
  steering: ['id', 'message'],
  question: ['id', 'call', 'name', 'arguments', 'about', 'askedAt', 'shown'],
  done: ['response'],
};

test('docs/streaming.md has a row for each kind of event, with its fields', () => {
  const page = readFileSync(join(__dirname, '../../docs/streaming.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(?<kind>\w+)` \|[^|]+\|(?<beside>[^|]+)\|$/gm)];
  expect(
    rows.map(({ groups }) => [
      groups?.['kind'],
      [...(groups?.['beside'] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    ]),
  ).toEqual(Object.entries(fields));
});
