import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  createApplication,
  Field,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  ToolRefusal,
  ToolResult,
} from 'toolwright';
import { McpClient, McpContent, McpServerError, serveMcp } from '@toolwright/mcp';
import { ToolInvoked } from 'toolwright/events';
import { silent } from '../../../../spec/support/silent';
import { clientOf, closeAll } from '../support/serverKit';

afterEach(closeAll);

/** An application with one section. */
async function house(section: new (...args: never[]) => object) {
  @Prompt({ ns: 'test', key: 'house', name: 'The house', sections: [section] })
  class House {}
  const app = await createApplication({ prompts: [House], logger: silent });
  return { app, prompt: app.prompt(House) };
}

describe('tools/list', () => {
  class Room {
    @Field('Its name') name!: string;
    @Field({ description: 'Counted from the ground', optional: true }) floor?: number;
  }

  @Section({ title: 'Rooms', template: 'Rooms.' })
  class Rooms {
    @Tool({ description: 'Find a room.', result: Room, hints: { readOnly: true, openWorld: false } })
    findRoom(@Param('name', 'Its name') name: string) {
      // As a database returns it: with undeclared columns, and null for absence.
      return { name, floor: null, cost: 7 } as unknown as Room;
    }

    @Tool({ description: 'All rooms.', result: [Room] })
    allRooms() {
      return [{ name: 'attic' }];
    }

    @Tool({ description: 'Count rooms.', result: Number, hints: { destructive: true, idempotent: true } })
    countRooms() {
      return 2;
    }

    @Tool('Say something.')
    say() {
      return { word: 'hello' };
    }
  }

  test('tools/list says names, schemas and declared hints in the order of the prompt, the same each time', async () => {
    const { app, prompt } = await house(Rooms);
    const client = await clientOf(serveMcp(app, prompt));
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['find_room', { readOnlyHint: true, openWorldHint: false }],
      ['all_rooms', {}],
      ['count_rooms', { destructiveHint: true, idempotentHint: true }],
      ['say', {}],
    ]);
    expect(tools[0]?.inputSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { name: { type: 'string', description: 'Its name' } },
      required: ['name'],
      additionalProperties: false,
    });
    expect(JSON.stringify(await client.listTools())).toBe(JSON.stringify({ tools }));
  });

  test('tools/list publishes the form of results: objects as they are, anything else as `result`, nothing where none is declared', async () => {
    const { app, prompt } = await house(Rooms);
    const client = await clientOf(serveMcp(app, prompt));
    const { tools } = await client.listTools();
    const room = {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name' },
        floor: { type: 'number', description: 'Counted from the ground' },
      },
      required: ['name'],
      additionalProperties: false,
    };
    const wrapped = (result: object): object => ({
      type: 'object',
      properties: { result },
      required: ['result'],
      additionalProperties: false,
    });
    expect(tools.map(({ outputSchema }) => outputSchema)).toEqual([
      room,
      wrapped({ type: 'array', items: room }),
      wrapped({ type: 'number' }),
      undefined,
    ]);
  });

  test('structured values fit that form: without undeclared keys, and without nulls for absence', async () => {
    const { app, prompt } = await house(Rooms);
    const client = await clientOf(serveMcp(app, prompt));
    // The client has to know the schemas, to check the answers against them.
    await client.listTools();
    expect(await client.callTool({ name: 'find_room', arguments: { name: 'hall' } })).toEqual({
      content: [{ type: 'text', text: '{"name":"hall","floor":null}' }],
      structuredContent: { name: 'hall' },
    });
    expect(await client.callTool({ name: 'all_rooms' })).toMatchObject({
      structuredContent: { result: [{ name: 'attic' }] },
    });
    expect(await client.callTool({ name: 'count_rooms' })).toMatchObject({ structuredContent: { result: 2 } });
    expect(await client.callTool({ name: 'say' })).toEqual({ content: [{ type: 'text', text: '{"word":"hello"}' }] });
  });

  test('tools/list is paginated, and refuses a cursor that it did not return', async () => {
    const { app, prompt } = await house(Rooms);
    const client = await clientOf(serveMcp(app, prompt, { pageSize: 3 }));
    const first = await client.listTools();
    expect(first.tools.map(({ name }) => name)).toEqual(['find_room', 'all_rooms', 'count_rooms']);
    const second = await client.listTools({ cursor: first.nextCursor });
    expect(second).toEqual({ tools: [expect.objectContaining({ name: 'say' })] });
    await expect(client.listTools({ cursor: 'made-up' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('tools/call', () => {
  test('MCP-02 an unknown tool is an error of the protocol; wrong arguments, refusals and exceptions are results', async () => {
    @Section({ title: 'Faults', template: 'Faults.' })
    class Faults {
      @Tool('Take a number.') take(@Param('n', 'A number') n: number) {
        return n;
      }
      @Tool('Refuse.') refuse(): string {
        throw new ToolRefusal('Not on Sundays: see /srv/rules/sunday.md first.');
      }
      @Tool('Break.') break(@Param('pin', { description: 'A secret', secret: true }) pin: string): string {
        throw new Error(`ENOENT: no such file '/srv/secret store/db.json' for ${pin} in C:\\Users\\desk\\x.ts`);
      }
      @Tool('Fail.') fail() {
        return ToolResult.error('There is nothing to do.');
      }
    }
    const { app, prompt } = await house(Faults);
    const client = await clientOf(serveMcp(app, prompt));
    await expect(client.callTool({ name: 'tak' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Did you mean "take"') as string,
    });
    const failed = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
      const { isError, content, ...rest } = await client.callTool({ name, arguments: args });
      expect({ isError, rest }).toEqual({ isError: true, rest: {} });
      return (content as readonly { readonly text: string }[])[0]!.text;
    };
    expect(await failed('take', { n: 'seven' })).toContain('- n: ');
    expect(await failed('refuse')).toBe('Not on Sundays: see /srv/rules/sunday.md first.');
    expect(await failed('fail')).toBe('There is nothing to do.');
    const broken = await failed('break', { pin: 'hunter2222' });
    expect(broken).toContain('The tool break failed: ENOENT');
    expect(broken).not.toMatch(/srv|db\.json|hunter2222|Users|\bat .*:\d+/);
  });

  test('tools/call runs as any other call: session, transaction, event, ids of the host', async () => {
    class Noted {
      constructor(readonly word: string) {}
    }
    @Section({ title: 'Notes', template: 'Notes.' })
    class Notes {
      @Tool('Note a word.') note(@Param('word', 'The word') word: string, context: ToolContext) {
        context.session.dispatch(new Noted(word));
        if (word === 'bad') throw new Error('No.');
        return `${word} noted`;
      }
    }
    const { app, prompt } = await house(Notes);
    const session = new Session({ tags: { tenant: 'north' } });
    const heard: ToolInvoked[] = [];
    app.eventBus.subscribe(ToolInvoked, (event) => void heard.push(event));
    const server = serveMcp(app, prompt, {
      session: ({ transport, principal }) => {
        expect([transport, principal]).toEqual(['other', undefined]);
        return session;
      },
      runMetadata: () => ({ tenant: 'north' }),
    });
    const client = await clientOf(server);
    await client.callTool({ name: 'note', arguments: { word: 'bad' } });
    await client.callTool({ name: 'note', arguments: { word: 'good' } });
    expect(session.slice(Noted).all()).toEqual([new Noted('good')]);
    expect(heard.map(({ kind, sessionId, runMetadata }) => [kind, sessionId, runMetadata])).toEqual([
      ['failed', session.id, { tenant: 'north', mcpRequest: '1' }],
      ['succeeded', session.id, { tenant: 'north', mcpRequest: '2' }],
    ]);
  });

  test('the parts of a result reach the client as blocks after the text', async () => {
    @Section({ title: 'Rooms' })
    class Rooms {
      @Tool('Draw.')
      draw() {
        const data = 'AQID';
        return ToolResult.ok(null, 'Drawn.', {
          parts: [
            { kind: 'image', mediaType: 'image/png', data },
            { kind: 'audio', mediaType: 'audio/wav', data },
            { kind: 'file', mediaType: 'application/pdf', name: 'my plan.pdf', data },
            { kind: 'file', mediaType: 'application/pdf', data },
            { kind: 'image', mediaType: 'image/webp', url: 'https://plans.example/7.webp' },
            { kind: 'text', text: 'Legend.' },
          ],
        });
      }
    }
    const { app, prompt } = await house(Rooms);
    const client = await clientOf(serveMcp(app, prompt));
    const document = { mimeType: 'application/pdf', blob: 'AQID' };
    expect(await client.callTool({ name: 'draw' })).toEqual({
      content: [
        { type: 'text', text: 'Drawn.' },
        { type: 'image', data: 'AQID', mimeType: 'image/png' },
        { type: 'audio', data: 'AQID', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'attachment:my%20plan.pdf', ...document } },
        { type: 'resource', resource: { uri: 'attachment:file-4', ...document } },
        { type: 'resource_link', uri: 'https://plans.example/7.webp', name: 'image-5', mimeType: 'image/webp' },
        { type: 'text', text: 'Legend.' },
      ],
    });
  });

  test('images, sounds and documents reach the client as they are, and other callers as text', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    @Section({ title: 'Plans', template: 'Plans.' })
    class Plans {
      @Tool('Draw a plan.') draw() {
        const blocks = [McpContent.image(bytes, 'image/png'), McpContent.audio('AAAA', 'audio/wav')];
        const text = McpContent.resource('plan://1', 'North is up.', 'text/plain');
        return ToolResult.ok(McpContent.of(...blocks, text), 'Drawn.');
      }
    }
    const { app, prompt } = await house(Plans);
    const client = await clientOf(serveMcp(app, prompt));
    expect(await client.callTool({ name: 'draw' })).toEqual({
      content: [
        { type: 'text', text: 'Drawn.' },
        { type: 'image', data: 'AQID', mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'plan://1', mimeType: 'text/plain', text: 'North is up.' } },
      ],
    });
    const { text } = await app.invoke(await prompt.render(), 'draw', {});
    expect(text).toBe('Drawn.\n\n[image image/png]\n[audio audio/wav]\nNorth is up.');
  });

  test('a call that waits for its approval is kept by the host, or denied', async () => {
    @Section({ title: 'Money', template: 'Money.' })
    class Money {
      @Tool({ description: 'Pay.', requiresApproval: true }) pay() {
        return 'Paid.';
      }
    }
    @Prompt({ ns: 'test', key: 'bank', sections: [Money] })
    class Bank {}
    const approver = { approve: () => ({ kind: 'later' as const }) };
    const app = await createApplication({ prompts: [Bank], approver, logger: silent });
    const kept: unknown[] = [];
    const keeping = await clientOf(serveMcp(app, app.prompt(Bank), { onPending: (call) => void kept.push(call) }));
    expect(await keeping.callTool({ name: 'pay' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('waits for an approval') as string }],
    });
    expect(kept).toMatchObject([{ tool: 'pay', version: 4 }]);
    const other = await clientOf(serveMcp(app, app.prompt(Bank)));
    expect(await other.callTool({ name: 'pay' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('cannot be waited for here') as string }],
    });
    expect(kept).toHaveLength(1);
  });

  test('a call that the application cannot run is reported without its reasons', async () => {
    @Section({ title: 'Rooms', template: 'Rooms.' })
    class Rooms {
      @Tool('Look.') look() {
        return 'dark';
      }
    }
    const { app, prompt } = await house(Rooms);
    const client = await clientOf(serveMcp(app, prompt));
    await app.close();
    expect(await client.callTool({ name: 'look' })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'The tool look cannot be run now. The call is not at fault; go on without it.' }],
    });
  });
});

describe('the client of a call', () => {
  @Section({ title: 'Talk', template: 'Talk.' })
  class Talk {
    @Tool('Ask the user.') async ask(context: ToolContext) {
      const client = McpClient.of(context);
      if (client === undefined) return 'nobody to ask';
      const { action, content } = await client.elicit('How many?', {
        type: 'object',
        properties: { count: { type: 'integer' } },
        required: ['count'],
      });
      return `${client.info?.name ?? ''} ${client.peer.transport} ${action} ${JSON.stringify(content)}`;
    }
    @Tool('Write to the log.') async log(context: ToolContext) {
      await McpClient.of(context)?.log('debug', 'a small thing');
      await McpClient.of(context)?.log('error', { what: 'a great thing' }, 'talk');
      return 'Done.';
    }
  }

  test('the client of a call asks the user, if the client can; the same handler works for other callers', async () => {
    const { app, prompt } = await house(Talk);
    const client = await clientOf(serveMcp(app, prompt), { elicitation: { form: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      expect(params.message).toBe('How many?');
      return { action: 'accept', content: { count: 3 } };
    });
    expect(await client.callTool({ name: 'ask' })).toEqual({
      content: [{ type: 'text', text: 'test-client other accept {"count":3}' }],
    });
    expect((await app.invoke(await prompt.render(), 'ask', {})).text).toBe('nobody to ask');
  });

  test('E693: a client that cannot ask is reported in the result, and the handler can catch it', async () => {
    const { app, prompt } = await house(Talk);
    const heard: unknown[] = [];
    app.eventBus.subscribe(ToolInvoked, ({ error }) => void heard.push(error));
    const client = await clientOf(serveMcp(app, prompt));
    expect(await client.callTool({ name: 'ask' })).toMatchObject({ isError: true });
    expect(heard.map((error) => error instanceof McpServerError && error.code)).toEqual(['E693']);
  });

  test('the client receives what is logged for it, from the level that it asked for', async () => {
    const { app, prompt } = await house(Talk);
    const client = await clientOf(serveMcp(app, prompt));
    const lines: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void lines.push(params));
    await client.callTool({ name: 'log' });
    const small = { level: 'debug', data: 'a small thing' };
    const great = { level: 'error', data: { what: 'a great thing' }, logger: 'talk' };
    expect(lines).toEqual([small, great]);
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'log' });
    expect(lines).toEqual([small, great, great]);
  });
});
