import type { PromptResponse } from '../../../src/evaluate/RunOptions';
import { LazyResponse } from '../../../src/evaluate/answer/LazyResponse';
import type { Message } from '../../../src/value/Message';

const fields: Omit<PromptResponse, 'transcript'> = {
  text: 'Done.',
  output: undefined,
  finishReason: 'stop' as const,
  usage: undefined,
  requests: [],
  adapters: [],
  cost: undefined,
  turns: 1,
  complete: true,
};
const transcript: readonly Message[] = [{ role: 'assistant', content: 'Done.' }];

test('a transcript is made once, when it is read', () => {
  let made = 0;
  const response = new LazyResponse(fields, () => ((made += 1), transcript));
  expect(made).toBe(0);
  expect(response.transcript).toBe(transcript);
  expect(response.transcript).toBe(transcript);
  expect(made).toBe(1);
});

test('copies and JSON of a response have its transcript', () => {
  const response = new LazyResponse(fields, () => transcript);
  expect(Object.assign({}, response)).toEqual({ ...fields, transcript });
  expect(JSON.parse(JSON.stringify(response))).toMatchObject({ text: 'Done.', transcript });
  expect(Object.keys(response)).toContain('transcript');
});

test('responses share the getter: one of its own would keep the run of each', () => {
  const getterOf = (response: LazyResponse) => Object.getOwnPropertyDescriptor(response, 'transcript')?.get;
  const [one, other] = [new LazyResponse(fields, () => transcript), new LazyResponse(fields, () => [])];
  expect(getterOf(one)).toBe(getterOf(other));
  expect(other.transcript).toEqual([]);
});
