import { createApplication, definePrompt, defineSection } from 'toolwright';
import type { FeedbackTrigger } from 'toolwright/policies';

const promptWith = (trigger: unknown) =>
  definePrompt({
    ns: 'a',
    key: 'b',
    sections: [defineSection({ key: 'a', title: 'A' })],
    feedback: [{ name: 'house', trigger: trigger as FeedbackTrigger, provide: () => 'x' }],
  });

test.each([
  { everyCalls: 1 },
  { everyCalls: 1_000, everySeconds: 0.5, fileCreated: '/docs/AGENTS.md' },
  { everySeconds: 60, everyCalls: undefined },
])('a trigger that can ever be due is taken: %j', async (trigger) => {
  await expect(createApplication({ prompts: [promptWith(trigger)] })).resolves.toBeDefined();
});

test.each([
  [{}],
  [{ everyCalls: undefined }],
  [{ everyCalls: 0 }],
  [{ everyCalls: -1 }],
  [{ everyCalls: 1.5 }],
  [{ everyCalls: '3' }],
  [{ everySeconds: 0 }],
  [{ everySeconds: NaN }],
  [{ everySeconds: Infinity }],
  [{ fileCreated: '' }],
  [{ fileCreated: ' ' }],
  [{ fileCreated: 3 }],
  [{ everyCalls: 1, everySeconds: 0 }],
  [{ onFileCreated: 'a.md' }],
  ['everyCalls'],
  [null],
])('E312: one that never is, is refused, and it is said what one looks like: %j', async (trigger) => {
  await expect(createApplication({ prompts: [promptWith(trigger)] })).rejects.toMatchObject({
    findings: [{ code: 'E312', problem: expect.stringContaining('everyCalls (a whole number from 1 on)') as unknown }],
  });
});
