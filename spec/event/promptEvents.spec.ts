import { PromptExecuted, PromptRendered } from 'toolwright/events';

const head = { id: 'e1', time: 1_000, sessionId: 's1', runMetadata: {}, prompt: 'support/desk' };

describe('PromptRendered', () => {
  test('PromptRendered holds the text and the tools, frozen', () => {
    const fields = { ...head, text: '## 1. Orders (orders)', toolNames: ['get_order'] };
    const event = new PromptRendered(fields);
    expect(Object.entries(event)).toEqual(Object.entries(fields));
    expect(Object.isFrozen(event)).toBe(true);
    expect(event.constructor).toBe(PromptRendered);
  });
});

describe('PromptExecuted', () => {
  test('PromptExecuted holds the answer, the usage and the turns, frozen', () => {
    const fields = { ...head, text: null, usage: undefined, turns: 2, complete: true };
    const event = new PromptExecuted(fields);
    expect(Object.entries(event)).toEqual(Object.entries(fields));
    expect(Object.isFrozen(event)).toBe(true);
    expect(event).not.toBeInstanceOf(PromptRendered);
  });
});
