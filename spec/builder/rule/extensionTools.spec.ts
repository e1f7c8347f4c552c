import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, defineTool, PromptValidationError } from 'toolwright';
import type { NamedTool, PromptExtension } from 'toolwright/adapters';

/** Refuses what its list names, and keeps what it was shown. */
class Strict implements PromptExtension {
  readonly name = 'strict';
  readonly toolNames = [];
  readonly seen: (readonly NamedTool[])[] = [];
  readonly #refused: readonly string[];

  constructor(...refused: readonly string[]) {
    this.#refused = refused;
  }

  check(tools: readonly NamedTool[]) {
    this.seen.push(tools);
    return this.#refused.map((toolName) => ({ code: 'E661' as const, toolName, problem: 'not here' }));
  }

  extend() {
    return { text: '', tools: [], hidden: new Set<string>() };
  }
}

function promptWith(extension: PromptExtension) {
  const handler = () => 'done';
  const search = defineTool({ name: 'search', description: 'Searches.', handler });
  const build = defineTool({ name: 'build', description: 'Builds.', handler, callers: ['program'] });
  const always = defineSection({ key: 'always', title: 'Always', tools: [search] });
  const never = defineSection({ key: 'never', title: 'Never', tools: [build], enabled: false });
  return definePrompt({ ns: 'a', key: 'desk', sections: [always, never], extensions: [extension] });
}

test('an extension is shown every tool once, also those of disabled sections', async () => {
  const extension = new Strict();
  await createApplication({ prompts: [promptWith(extension)] });
  expect(extension.seen).toEqual([
    [
      { name: 'search', callers: ['direct', 'program'] },
      { name: 'build', callers: ['program'] },
    ],
  ]);
});

test('a tool that an extension objects to is a finding at the place of the tool', async () => {
  const prompts = [promptWith(new Strict('build', 'unknown'))];
  const refusal: unknown = await createApplication({ prompts }).catch((error: unknown) => error);
  expect(refusal instanceof PromptValidationError && refusal.findings).toMatchObject([
    {
      code: 'E661',
      place: 'build',
      sectionPath: 'never',
      toolName: 'build',
      problem: 'the extension strict cannot use the tool "build": not here',
    },
  ]);
});

test('E312: an extension whose check is no function', async () => {
  const extension = Object.assign(new Strict(), { check: true }) as unknown as PromptExtension;
  await expect(createApplication({ prompts: [promptWith(extension)] })).rejects.toThrow(/E312.*extensions/s);
});
