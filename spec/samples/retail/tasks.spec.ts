import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runComparison } from '../../../samples/20-retail-desk/compare.js';
import { describeWithData } from '../../support/absent.js';
import { Desk } from './Desk.js';

interface PublishedTool {
  readonly function: {
    readonly name: string;
    readonly parameters: { readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
  };
}

describeWithData('retail', 'the public retail tasks', (dir) => {
  test('every call and every changed record is equal', async () => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const code = await runComparison(['--data', dir, '--tasks', join(dir, 'tasks.jsonl')], print, print);
    expect(lines).toEqual(['retail: 520 tasks, 520 equal, 0 different']);
    expect(code).toBe(0);
  });

  test('each task can be one program, with the same results and records', async () => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const args = ['--programs', '--data', dir, '--tasks', join(dir, 'tasks.jsonl')];
    expect(await runComparison(args, print, print)).toBe(0);
    expect(lines).toEqual(['retail: 520 tasks, 520 equal, 0 different']);
  }, 300_000);

  test('the eval of the public tasks prints the table of its README', async () => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const args = ['--eval', '--data', dir, '--tasks', join(dir, 'tasks.jsonl')];
    expect(await runComparison(args, print, print)).toBe(0);
    const readme = readFileSync(join(__dirname, '../../../samples/20-retail-desk/README.md'), 'utf8');
    const [table, last] = lines.slice(-2);
    expect(last).toBe('retail eval: 520 tasks, 15 agents, 5887 runs, 0 errors; 11 of 11 faults found');
    expect(readme).toContain(`\`\`\`text\n${table}\n${last}\n\`\`\``);
    const shown = lines.find((line) => line.startsWith('also changes the default address'));
    expect(readme).toContain(`\`\`\`text\n${shown?.trimEnd()}\n\`\`\``);
  }, 300_000);

  test('the desk offers the published tools, with the same arguments', async () => {
    const published = JSON.parse(readFileSync(join(dir, 'tools.json'), 'utf8')) as readonly PublishedTool[];
    const { rendered } = await Desk.open();
    const shape = (properties: PublishedTool['function']['parameters']['properties']) =>
      Object.entries(properties).map(([name, { enum: choices }]) => ({ name, choices }));
    // Planning is the desk's own.
    const ours = rendered
      .toolSchemas('json-schema')
      .filter(({ name }) => !name.startsWith('planning_'))
      .map(({ name, parameters }) => ({ name, properties: parameters['properties'] ?? {} }) as const)
      .map(({ name, properties }) => [name, shape(properties as Parameters<typeof shape>[0])] as const);
    const theirs = published.map((tool) => [tool.function.name, shape(tool.function.parameters.properties)] as const);
    const byName = (a: readonly [string, unknown], b: readonly [string, unknown]) => a[0].localeCompare(b[0]);
    expect([...ours].sort(byName)).toEqual([...theirs].sort(byName));
  });
});
