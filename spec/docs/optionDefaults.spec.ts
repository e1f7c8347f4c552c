import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { ScriptedModel } from 'toolwright/testing';
import {
  DEFAULT_MAX_REFUSED,
  DEFAULT_MAX_TURNS,
  DEFAULT_PART_BYTES,
  DEFAULT_POLICY_MS,
  DEFAULT_RESULT_CHARS,
  DEFAULT_TURN_MS,
} from '../../src/common/limits.js';
import { DECLARATIONS, optionsOf } from '../support/optionsPage.js';

/** A constant of another package, whose sources a spec must not import. */
const graceMs = /^export const DEFAULT_GRACE_MS = ([\d_]+);$/m
  .exec(readFileSync(join(__dirname, '../../packages/nestjs/src/limits.ts'), 'utf8'))?.[1]
  ?.replaceAll('_', '');

/** The numbers that the code uses, and 0 where it has no constant. */
const numbers: Readonly<Record<string, number>> = {
  'EvaluateOptions.maxTurns': DEFAULT_MAX_TURNS,
  'EvaluateOptions.maxRefusedAnswers': DEFAULT_MAX_REFUSED,
  'Limits.partBytes': DEFAULT_PART_BYTES,
  'Limits.policyMs': DEFAULT_POLICY_MS,
  'Limits.resultChars': DEFAULT_RESULT_CHARS,
  'Limits.turnMs': DEFAULT_TURN_MS,
  'SearchOptions.aboveTokens': 0,
  'ToolRetry.backoffMs': 0,
  'ToolwrightModuleOptions.graceMs': Number(graceMs),
};

/** The values in backquotes that an interface declares as defaults, by option; words such as "the key" are left out. */
function literalDefaults(declaration: string): Readonly<Record<string, unknown>> {
  const values = optionsOf(declaration).flatMap(({ name, defaultValue = '' }) => {
    const literal = /^`('[^`]*'|true|false|\[[^`]*\]|[\d_]+)`(?:, |$)/.exec(defaultValue)?.[1];
    const json = literal?.replace(/(?<=\d)_/g, '').replaceAll("'", '"');
    return json === undefined ? [] : [[name, JSON.parse(json) as unknown] as const];
  });
  return Object.fromEntries(values);
}

/** What a model and a developer see of a prompt and of a run, with the declared defaults written out or left out. */
async function observe(isWritten: boolean): Promise<unknown> {
  const defaultsOf = (declaration: string): object => (isWritten ? literalDefaults(declaration) : {});

  class Params {
    @Param({ description: 'How many', ...defaultsOf('ParamOptions') })
    howMany!: number;
  }
  @Section({ title: 'Stock', template: 'Count.', ...defaultsOf('SectionOptions') })
  class Stock {
    @Tool({ description: 'Take some.', ...defaultsOf('ToolOptions') })
    take({ howMany }: Params): never {
      throw new Error(`Only one is left, not ${String(howMany)}.`);
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Stock], ...defaultsOf('PromptOptions') })
  class Desk {}

  const overrides = new InMemoryOverridesStore();
  const app = await createApplication({
    ...defaultsOf('ApplicationOptions'),
    prompts: [Desk],
    overrides,
    logger: silent,
  });
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'take', arguments: { howMany: '12' } }] },
    { toolCalls: [{ name: 'take', arguments: { howMany: 2 } }] },
    { text: 'None is left.' },
  ]);
  const { text, transcript } = await app.evaluate(app.prompt(Desk), { ...defaultsOf('EvaluateOptions'), adapter });
  const prompt = app.prompt(Desk);
  return {
    text,
    transcript,
    rendered: (await prompt.render()).text,
    tools: (await prompt.tools()).map(({ name, schema }) => ({ name, schema })),
    // A hook that is left out is undefined there; the rendered text shows its effect.
    metadata: JSON.stringify(prompt.metadata, (key, value: unknown) =>
      key === 'enabled' || key === 'visibility' ? undefined : value,
    ),
  };
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

describe('the defaults on the page of options', () => {
  it('every default that is a number is the constant of the code', () => {
    const declared = DECLARATIONS.flatMap(([, declaration]) =>
      optionsOf(declaration).flatMap(({ name, declaredBy }) => {
        const value = literalDefaults(declaration)[name];
        return typeof value === 'number' ? [[`${declaredBy}.${name}`, value] as const] : [];
      }),
    );
    expect(Object.fromEntries(declared)).toEqual(numbers);
  });

  it('a prompt and a run with every default written out are those without any', async () => {
    expect(await observe(true)).toEqual(await observe(false));
  });

  it('the defaults that are compared include those of every decorator', () => {
    expect(Object.keys(literalDefaults('ParamOptions'))).toEqual(['nullable', 'integer', 'secret', 'internal']);
    expect(literalDefaults('ToolOptions')).toMatchObject({ acceptsOverrides: true, callers: ['direct', 'program'] });
    expect(literalDefaults('SectionOptions')).toMatchObject({ visibility: 'full', enabled: true });
    expect(literalDefaults('PromptOptions')).toMatchObject({ heading: 'numbered-path', search: false });
    expect(literalDefaults('ApplicationOptions')).toMatchObject({ fieldNames: 'as-is', repair: 'off' });
  });

  it('no example shows the default', () => {
    const useless = DECLARATIONS.flatMap(([, declaration]) =>
      optionsOf(declaration).filter(
        ({ name, defaultValue = '', example }) => example === `${name}: ${defaultValue.replaceAll('`', '')}`,
      ),
    );
    expect(useless).toEqual([]);
  });
});
