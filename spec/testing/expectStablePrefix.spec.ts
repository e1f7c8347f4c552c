import { expectStablePrefix } from 'toolwright/testing';

const tool = (name: string) => ({ name, input_schema: { type: 'object' } });
const user = (content: string) => ({ role: 'user', content });

/** Bodies as they go to a provider's API. */
const first = { system: [{ type: 'text', text: 'Help.' }], tools: [tool('look')], messages: [user('Hi.')] };
const second = { ...first, messages: [user('Hi.'), { role: 'assistant', content: 'Hello.' }, user('And?')] };

describe('expectStablePrefix', () => {
  test('requests that only grow are stable, whatever cache marks do', () => {
    const marked = { ...first, messages: [{ ...user('Hi.'), cache_control: { type: 'ephemeral' } }] };
    expect(expectStablePrefix([marked, second])).toMatchObject({ requests: 2 });
    expect(expectStablePrefix([])).toEqual({ requests: 0, bytes: 0 });
    const items = [{ input: [user('Hi.')], instructions: 'Help.' }];
    expect(expectStablePrefix([...items, { input: [user('Hi.'), user('And?')], instructions: 'Help.' }]).requests).toBe(
      2,
    );
  });

  test.each([
    ['another tool', { ...second, tools: [tool('look'), tool('buy')] }, 'tools[1]'],
    ['a tool that is left out', { ...second, tools: [] }, 'tools[0]'],
    ['other tools in another order', { ...second, tools: [tool('buy')] }, 'tools[0]'],
    ['another system text', { ...second, system: [{ type: 'text', text: 'Help!' }] }, 'system[0]'],
    ['no system text', { ...second, system: undefined }, 'system[0]'],
    ['another message', { ...second, messages: [user('Hi!'), ...second.messages.slice(1)] }, 'messages[0]'],
    ['a message that is left out', { ...second, messages: [] }, 'messages[0]'],
    ['a field more', { ...second, messages: [{ ...user('Hi.'), name: 'ann' }] }, 'messages[0]'],
  ])('%s is E733 with its place', (_name, changed, place) => {
    let thrown: unknown;
    try {
      expectStablePrefix([first, changed]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'E733', place });
    expect((thrown as Error).message).toContain(`E733 ${place}: differs in request 2 from request 1 at character `);
  });
});
