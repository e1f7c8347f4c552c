import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool, PromptValidationError } from 'toolwright';
import {
  RateLimitPolicy,
  ReadBeforeWritePolicy,
  SequentialDependencyPolicy,
  type ToolPolicy,
} from 'toolwright/policies';

interface Guarded {
  readonly prompt?: readonly ToolPolicy[];
  readonly section?: readonly ToolPolicy[];
  readonly tool?: readonly ToolPolicy[];
}

/** The findings of a prompt that has the tools `search`, `build` and, in a disabled section, `deploy`. */
async function faultsOf({ prompt, section, tool }: Guarded): Promise<readonly string[]> {
  const handler = () => 'done';
  const search = defineTool({ name: 'search', description: 'Searches.', handler, policies: tool });
  const [build, deploy] = ['build', 'deploy'].map((name) => defineTool({ name, description: 'Acts.', handler }));
  const always = defineSection({ key: 'always', title: 'Always', tools: [search, build!], policies: section });
  const never = defineSection({ key: 'never', title: 'Never', tools: [deploy!], enabled: false });
  const Desk = definePrompt({ ns: 'a', key: 'desk', sections: [always, never], policies: prompt });
  const refusal: unknown = await createApplication({ prompts: [Desk] }).catch((error: unknown) => error);
  if (!(refusal instanceof PromptValidationError)) return [];
  return refusal.findings.map(
    ({ code, place, problem, toolName }) => `${code} ${place} ${toolName ?? '-'}: ${problem}`,
  );
}

const named = (...tools: string[]): ToolPolicy => ({ name: 'own', tools, check: () => ({ allowed: true }) });

test('E315: a name that the prompt does not have, wherever the policy is declared, with a suggestion', async () => {
  expect(
    await faultsOf({
      prompt: [new RateLimitPolicy({ maxCalls: 1, perSeconds: 1, tools: ['serach', 'build'] })],
      section: [new SequentialDependencyPolicy({ deploy: ['test'] })],
      tool: [named('nothing_like_it')],
    }),
  ).toEqual([
    'E315 desk -: policy rate_limit_1_per_1_s_of_build_serach names the tool "serach", which the prompt does not have. Did you mean "search"?',
    expect.stringMatching(/^E315 always -: policy sequential_dependency names the tool "test", which/),
    'E315 search search: policy own names the tool "nothing_like_it", which the prompt does not have',
  ]);
});

test('E315: ReadBeforeWritePolicy names its tools, too', async () => {
  expect(await faultsOf({ prompt: [new ReadBeforeWritePolicy({ reads: ['cat'], writes: ['build'] })] })).toEqual([
    expect.stringContaining('names the tool "cat"'),
  ]);
});

test('names of disabled sections are good, and a policy need not name any', async () => {
  const policies = [
    new SequentialDependencyPolicy({ deploy: ['build'] }),
    new ReadBeforeWritePolicy(),
    new RateLimitPolicy({ maxCalls: 1, perSeconds: 1 }),
    named(),
  ];
  expect(await faultsOf({ prompt: policies, section: policies, tool: policies })).toEqual([]);
});
