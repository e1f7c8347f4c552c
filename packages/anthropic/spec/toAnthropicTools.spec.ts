import type { Anthropic } from '@anthropic-ai/sdk';
import {
  createApplication,
  Param,
  Prompt,
  type RenderedPrompt,
  Section,
  Tool,
  ToolResult,
  VisibilityExpansionRequired,
} from 'toolwright';
import { toAnthropicTools } from '@toolwright/anthropic';
import { ToolInvoked } from 'toolwright/events';
import { rejectionOf, thrownBy } from '../../openai/spec/support/thrownBy';
import { silent } from '../../../spec/support/silent';

async function openDesk() {
  class FindParams {
    @Param('Words') words!: string;
  }
  @Section({ title: 'Search', template: 'Find things.' })
  class Search {
    @Tool({ description: 'Find by words.', examples: [{ description: 'One', input: { words: 'tea' }, output: null }] })
    find({ words }: FindParams): ToolResult<string> {
      return words === '' ? ToolResult.error('Say a word.') : ToolResult.ok(words, 'Found.');
    }
  }
  @Section({ title: 'Manual', template: 'All of it.', summary: 'How it works.', visibility: 'summary' })
  class Manual {}
  @Prompt({ ns: 'anthropic', key: 'search', sections: [Search, Manual] })
  class SearchDesk {}
  const app = await createApplication({ prompts: [SearchDesk], logger: silent });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => {
    events.push(event);
  });
  return { app, rendered: await app.prompt(SearchDesk).render(), events };
}

const use = (input: unknown, name = 'find'): Anthropic.ToolUseBlock => ({
  type: 'tool_use',
  id: 'c',
  name,
  input,
  caller: { type: 'direct' },
});

describe('toAnthropicTools', () => {
  test('toAnthropicTools writes tools as the provider takes them, strict where that is wished', async () => {
    const { app, rendered } = await openDesk();
    const [find] = toAnthropicTools(app, rendered).tools;
    expect(find).toEqual({
      name: 'find',
      description: 'Find by words.',
      input_schema: expect.objectContaining({ type: 'object', required: ['words'] }) as unknown,
    });
    expect(toAnthropicTools(app, rendered, { strict: true }).tools[0]).toHaveProperty('strict', true);
    const [shown] = toAnthropicTools(app, rendered, { inputExamples: true }).tools;
    expect(shown).toHaveProperty('input_examples', [{ words: 'tea' }]);
  });

  test('toAnthropicTools answers the calls of an answer, in their order, and says which have failed', async () => {
    const { app, rendered } = await openDesk();
    const text = { type: 'text', text: 'I look.', citations: null } as const;
    const answers = await toAnthropicTools(app, rendered).answer([text, use({ words: 'tea' }), use({ words: '' })]);
    expect(answers).toEqual([
      { type: 'tool_result', tool_use_id: 'c', content: expect.stringContaining('tea') as string },
      { type: 'tool_result', tool_use_id: 'c', content: 'Say a word.', is_error: true },
    ]);
    expect(await toAnthropicTools(app, rendered).answer([text])).toEqual([]);
  });

  test.each([
    ['wrong arguments', use({ words: 7 }), 'rejected'],
    ['arguments that are no object', use(['tea']), 'rejected'],
    ['an unknown tool', use({}, 'fnid'), 'unknown'],
    ['nothing', undefined, 'unknown'],
  ])('ADPT-03 a call with %s is reported to the model', async (_what, block, kind) => {
    const { app, rendered, events } = await openDesk();
    const answer = await toAnthropicTools(app, rendered).run(block as Anthropic.ToolUseBlock);
    expect(answer).toMatchObject({ type: 'tool_result', is_error: true });
    expect(answer.content).toMatch(/./);
    expect(answer.tool_use_id).toMatch(/./);
    expect(events.map((event) => event.kind)).toEqual([kind]);
  });

  test('a tool for the runner returns its text, and throws it if the call has failed', async () => {
    const { app, rendered } = await openDesk();
    const [find] = toAnthropicTools(app, rendered).runnable;
    expect(await find?.run({ words: 'tea' }, { toolUse: { id: 'c' }, signal: null })).toContain('tea');
    expect(await rejectionOf(find?.run({ words: '' }) ?? Promise.resolve())).toMatchObject({
      code: 'E601',
      message: 'Say a word.',
    });
    const input = { any: 'thing' };
    expect(find?.parse(input)).toBe(input);
  });

  test('onLeave is called with an error that propagates from a call, whatever the runner does with it', async () => {
    const { app, rendered } = await openDesk();
    const heard: unknown[] = [];
    const { runnable } = toAnthropicTools(app, rendered, { onLeave: (error) => heard.push(error) });
    const open = runnable.find(({ name }) => name === 'open_sections');
    const thrown = await rejectionOf(open?.run({ section_keys: ['manual'], reason: 'x' }) ?? Promise.resolve());
    expect(thrown instanceof VisibilityExpansionRequired).toBe(true);
    expect(heard).toEqual([thrown]);
  });

  test('toAnthropicTools refuses what is no rendering with E722', async () => {
    const { app } = await openDesk();
    expect(thrownBy(() => toAnthropicTools(app, {} as unknown as RenderedPrompt)).message).toMatch(
      /^E722 toAnthropicTools: /,
    );
  });
});
