import { Section, Tool, ToolContext } from 'toolwright';
import { isToolContext } from '../../src/tool/ToolContext.js';
import { invokeOn } from '../builder/invokeOn.js';

describe('isToolContext', () => {
  test('isToolContext knows the class and its subclasses', () => {
    abstract class MyContext extends ToolContext {}
    expect(isToolContext(ToolContext)).toBe(true);
    expect(isToolContext(MyContext)).toBe(true);
  });

  test.each([
    ['another class', class Order {}],
    ['a class of the same name', { ToolContext: class ToolContext {} }.ToolContext],
    ['Object', Object],
    ['a thunk', () => ToolContext],
    ['undefined', undefined],
    ['null', null],
    ['the name', 'ToolContext'],
  ])('isToolContext refuses %s', (_case, value) => {
    expect(isToolContext(value)).toBe(false);
  });
});

describe('ToolContext', () => {
  test('a handler gets an instance of ToolContext, frozen, of its own call', async () => {
    const contexts: ToolContext[] = [];
    @Section({ title: 'Network' })
    class NetworkSection {
      @Tool('Answers.') ping(context: ToolContext): string {
        contexts.push(context);
        return `${context.call.name} ${String(context.call.attempt)} ${context.call.caller}`;
      }
    }
    expect((await invokeOn(NetworkSection, 'ping')).text).toBe('ping 1 direct');
    expect(contexts[0]).toBeInstanceOf(ToolContext);
    expect(Object.isFrozen(contexts[0])).toBe(true);
  });

  test('ToolContext never appears in a schema', async () => {
    @Section({ title: 'Network' })
    class NetworkSection {
      @Tool('Answers.') ping(context: ToolContext): readonly string[] {
        return context.renderedPrompt!.tools.map(({ schema }) => JSON.stringify(schema));
      }
    }
    expect((await invokeOn(NetworkSection, 'ping')).result.value).toEqual([
      '{"type":"object","properties":{},"additionalProperties":false}',
    ]);
  });
});
