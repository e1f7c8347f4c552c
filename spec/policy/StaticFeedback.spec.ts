import { StaticFeedback } from 'toolwright/policies';

describe('StaticFeedback', () => {
  test('StaticFeedback says what it was given, by its trigger', () => {
    const feedback = new StaticFeedback('AGENTS.md detected.', { fileCreated: 'AGENTS.md' });
    expect(feedback.provide()).toBe('AGENTS.md detected.');
    expect(feedback).toMatchObject({ name: 'static', trigger: { fileCreated: 'AGENTS.md' } });
  });
});
