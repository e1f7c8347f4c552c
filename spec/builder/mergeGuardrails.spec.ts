import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool, PromptValidationError } from 'toolwright';
import type { CompletionChecker, FeedbackProvider, GuardrailOptions, ToolPolicy } from 'toolwright/policies';
import { noGuardrails } from '../../src/builder/mergeGuardrails';

const policy = (name: string): ToolPolicy => ({ name, check: () => ({ allowed: true }) });
const provider = (name: string): FeedbackProvider => ({ name, trigger: { everyCalls: 1 }, provide: () => undefined });
const checker = (name: string): CompletionChecker => ({ name, check: () => ({ complete: true }) });

/** A tool in a section in a section in a prompt, each with guidance of its own. */
function tree(options: Readonly<Record<'tool' | 'inner' | 'outer' | 'prompt', GuardrailOptions>>) {
  const tool = defineTool({ name: 'act', description: 'Acts.', handler: () => 'done', ...options.tool });
  const inner = defineSection({ key: 'inner', title: 'Inner', tools: [tool], ...options.inner });
  const outer = defineSection({ key: 'outer', title: 'Outer', children: [inner], ...options.outer });
  return definePrompt({ ns: 'a', key: 'b', sections: [outer], ...options.prompt });
}

test("a tool's own guardrails come first, then its sections', outwards to its prompt's", async () => {
  const rules = { tool: () => true, inner: () => false, prompt: () => true };
  const Desk = tree({
    tool: {
      policies: [policy('tool 1'), policy('tool 2')],
      feedback: [provider('tool')],
      requiresApproval: rules.tool,
    },
    inner: { policies: [policy('inner')], feedback: [provider('inner')], requiresApproval: rules.inner },
    outer: { policies: [policy('outer')], requiresApproval: false },
    prompt: { policies: [policy('prompt')], feedback: [provider('prompt')], requiresApproval: rules.prompt },
  });
  const app = await createApplication({ prompts: [Desk] });
  const [tool] = await app.prompt(Desk).tools();
  const guardrails = tool?.metadata.guardrails;
  expect(guardrails?.policies.map(({ name }) => name)).toEqual(['tool 1', 'tool 2', 'inner', 'outer', 'prompt']);
  expect(guardrails?.feedback.map(({ name }) => name)).toEqual(['tool', 'inner', 'prompt']);
  expect(guardrails?.approvals).toEqual([rules.tool, rules.inner, rules.prompt]);
  expect(Object.isFrozen(guardrails) && Object.isFrozen(guardrails?.policies)).toBe(true);
});

test('tools without guardrails share one empty object', async () => {
  const Desk = tree({ tool: {}, inner: { policies: [] }, outer: { requiresApproval: false }, prompt: {} });
  const app = await createApplication({ prompts: [Desk] });
  const [tool] = await app.prompt(Desk).tools();
  expect(tool?.metadata.guardrails).toBe(noGuardrails);
});

test('completion checkers stay where they were declared', async () => {
  const Desk = tree({
    tool: { completion: [checker('tool')] },
    inner: { completion: [checker('inner')] },
    outer: {},
    prompt: { completion: [checker('prompt')] },
  });
  const app = await createApplication({ prompts: [Desk] });
  const { metadata } = app.prompt(Desk);
  const names = (list: readonly CompletionChecker[] | undefined) => list?.map(({ name }) => name);
  expect(names(metadata.completion)).toEqual(['prompt']);
  expect(metadata.allSections.map(({ completion }) => names(completion))).toEqual([[], ['inner']]);
  expect(names(metadata.allSections[1]?.tools[0]?.completion)).toEqual(['tool']);
});

describe('E312: guardrails of the wrong kind', () => {
  const nameless = { check: () => ({ allowed: true }) };
  test.each<[keyof GuardrailOptions, unknown]>([
    ['policies', policy('not in a list')],
    ['policies', [nameless]],
    ['policies', [{ name: 'without a check' }]],
    ['policies', [class Policy {}]],
    ['requiresApproval', 'yes'],
    ['feedback', [{ name: 'without a trigger', provide: () => 'x' }]],
    ['feedback', [{ name: 'without a method', trigger: { everyCalls: 1 } }]],
    ['completion', checker('not in a list')],
    ['completion', [null]],
  ])('E312: the guardrail %s refuses %p', async (option, value) => {
    const wrong = { [option]: value } as GuardrailOptions;
    for (const place of ['tool', 'inner', 'prompt'] as const) {
      const Desk = tree({ tool: {}, inner: {}, outer: {}, prompt: {}, [place]: wrong });
      const refusal: unknown = await createApplication({ prompts: [Desk] }).catch((error: unknown) => error);
      const findings = refusal instanceof PromptValidationError ? refusal.findings : [];
      expect(findings.map(({ code, placeholder }) => [code, placeholder])).toEqual([['E312', option]]);
    }
  });
});
