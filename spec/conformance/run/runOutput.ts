import { createApplication } from 'toolwright';
import { FakeClock, ScriptedModel } from 'toolwright/testing';
import { promptOf } from '../declare/definitions';
import { silentLogger } from '../declare/silentLogger';
import { TypeCatalogue } from '../declare/TypeCatalogue';
import type { Outcome, OutputInput } from '../format';
import { errorOutcome } from './errorOutcome';

/** Has a model answer, and once more if the answer cannot be read; returns the parsed output. */
export async function runOutput({ types: records, prompt, text, coerce = true }: OutputInput): Promise<Outcome> {
  const clock = new FakeClock('2030-01-01T00:00:00Z');
  const types = new TypeCatalogue(records);
  const definition = promptOf(prompt, { types, clock });
  const app = await createApplication({ prompts: [definition], coerce, clock, logger: silentLogger });
  const rendered = await app.prompt(definition).render();
  try {
    const { output } = await app.evaluate(rendered, { adapter: new ScriptedModel([{ text }, { text }]) });
    return { value: types.data(output), container: rendered.container, output_type: rendered.outputType?.name };
  } catch (error) {
    return { error: errorOutcome(error) };
  }
}
