import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import type { RunsOptions } from '@toolwright/durable';
import { Toolwright, ToolwrightModule } from '@toolwright/nestjs';
import { silent } from '../../../spec/support/silent.js';
import { sqliteRuns } from '../../durable/spec/support/sqliteRuns.js';

jest.setTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'toolwright-nest-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(
  name: string,
  options: Partial<RunsOptions> | undefined,
  keys: readonly string[] = ['a key of this spec, which signs nothing'],
) {
  @Injectable()
  class Stock {
    readonly count = 7;
  }
  @Section({ title: 'Shop' })
  class Shop {
    constructor(private readonly stock: Stock) {}

    @Tool('Counts.')
    count(): string {
      return `${String(this.stock.count)} items`;
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Shop] })
  class Desk {}
  const runs: RunsOptions | undefined =
    options === undefined
      ? undefined
      : {
          store: sqliteRuns(join(folder, `${name}.db`)),
          pollMs: 20,
          prepare: () => ({
            prompt: Desk,
            adapter: new ScriptedModel([{ toolCalls: [{ name: 'count', arguments: {} }] }, { text: 'Seven.' }]),
          }),
          ...options,
        };
  @Module({
    imports: [ToolwrightModule.forRoot({ logger: silent, runs, keys })],
    providers: [Stock, Shop, Desk],
  })
  class AppModule {}
  const nest = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
  nest.useLogger(false);
  return { nest, toolwright: nest.get(Toolwright) };
}

const hello = { messages: [{ role: 'user', content: 'How many?' }] } as const;

describe('durable runs in Nest', () => {
  test('durable runs in Nest begin with the application, with tools that Nest builds, and drain with it', async () => {
    const { nest, toolwright } = await start('works', {});
    expect(() => toolwright.runs).toThrow(/E954.*before Nest/s);
    await nest.init();
    const run = await toolwright.runs.start(hello);
    const { transcript } = await run.result();
    expect(transcript.find(({ role }) => role === 'tool')?.content).toBe('7 items');
    expect((await toolwright.runs.health()).isWorking).toBe(true);
    await nest.close();
    expect(await toolwright.runs.health()).toMatchObject({ ok: false, isDraining: true, isWorking: false });
  });

  test('durable runs of one process in Nest need no keys', async () => {
    const { nest, toolwright } = await start('alone', {}, []);
    await nest.init();
    await (await toolwright.runs.start(hello)).result();
    await nest.close();
  });

  test('durable runs in Nest that other processes work on need keys: E747', async () => {
    const { nest } = await start('shared', { work: false }, []);
    await expect(nest.init()).rejects.toMatchObject({ code: 'E747' });
  });

  test('durable runs in Nest are left to other processes with work: false', async () => {
    const { nest, toolwright } = await start('waits', { work: false });
    await nest.init();
    const run = await toolwright.runs.start(hello);
    expect((await toolwright.runs.health()).isWorking).toBe(false);
    expect((await run.record()).status).toBe('queued');
    await nest.close();
  });

  test('durable runs in Nest are not there without the option', async () => {
    const { nest, toolwright } = await start('none', undefined);
    await nest.init();
    expect(() => toolwright.runs).toThrow(/E954.*the option runs/s);
    await nest.close();
  });
});
