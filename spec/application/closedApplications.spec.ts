import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';
import { silent } from '../support/silent';

/** How many classes the libraries that decorators write to hold, in all of their tables. */
function countClasses(): number {
  const tables = [defaultMetadataStorage, getMetadataStorage()].flatMap(
    (storage) => Object.values(storage) as unknown[],
  );
  return tables.reduce<number>((sum, table) => sum + (table instanceof Map ? table.size : 0), 0);
}

describe('an application that is closed', () => {
  const tool = defineTool({ name: 'act', description: 'Acts.', handler: () => 7 });
  const sections = [defineSection({ key: 's', title: 'S', tools: [tool] })];
  const Desk = definePrompt({ ns: 'n', key: 'k', sections });

  async function useOnce(): Promise<void> {
    const app = await createApplication({ prompts: [Desk], logger: silent });
    await app.invoke(await app.prompt(Desk).render(), 'act', {});
    await app.close();
  }

  test('an application that is closed leaves no class in the storages of class-validator and class-transformer', async () => {
    await useOnce();
    const before = countClasses();
    for (let time = 0; time < 20; time++) await useOnce();
    expect(countClasses()).toBe(before);
  });
});
