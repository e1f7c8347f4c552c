import { MaxLength, Matches } from 'class-validator';
import { createApplication, definePrompt, defineSection, defineTool, Param, type Constructor } from 'toolwright';
import { silent } from '../../support/silent.js';

class ByOptions {
  @Param({ description: 'Words.', pattern: '^(\\w+ ?){1,10}$', maxLength: 12 }) text!: string;
}

class ByDecorators {
  @Param('Words.') @Matches(/^(\w+ ?){1,10}$/) @MaxLength(12) text!: string;
}

class Listed {
  @Param({ description: 'Words.', type: [String] })
  @Matches(/^(\w+ ?){1,10}$/, { each: true })
  @MaxLength(12, { each: true })
  text!: string[];
}

describe('TRACE-10 a pattern that backtracks', () => {
  test.each<[Constructor, (text: string) => unknown]>([
    [ByOptions, (text) => text],
    [ByDecorators, (text) => text],
    [Listed, (text) => ['a b', text]],
  ])('TRACE-10 a pattern that backtracks is not tried on a text that is too long (%p)', async (params, written) => {
    const act = defineTool({ name: 'act', description: 'Acts.', params: params, handler: () => 'done' });
    const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
    const app = await createApplication({ prompts: [Desk], logger: silent });
    const rendered = await app.prompt(Desk).render();
    const call = (text: string) => app.invoke(rendered, 'act', { text: written(text) });
    const startedAt = performance.now();
    // For minutes, if it were tried.
    expect(await call(`${'a'.repeat(60)}!`)).toMatchObject({ kind: 'rejected' });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(await call('a!')).toMatchObject({ kind: 'rejected' });
    expect(await call('one two')).toMatchObject({ kind: 'succeeded' });
  });
});
