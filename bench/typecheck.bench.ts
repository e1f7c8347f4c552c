// `tsc` over a generated project of 500 tools: time and memory, and how much of it our decorators' types cost.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figureOf, type Figure } from './harness/Figure.js';
import { Report } from './harness/Report.js';

const SECTIONS = 50;
const TOOLS_EACH = 10;
const ROUNDS = 3;
const folder = join(process.cwd(), 'build', `typecheck-${String(process.pid)}`);
const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');

const looseDecorators = `import { ToolContext, ToolResult } from 'toolwright';
export { ToolContext, ToolResult };
export declare function Tool(options: unknown): any;
export declare function Param(options: unknown): any;
export declare function Field(options: unknown): any;
export declare function Section(options: unknown): any;
`;

function toolText(section: number, index: number): string {
  const id = `${String(section)}x${String(index)}`;
  return `
export class Params${id} {
  @Param('Order id') orderId!: string;
  @Param({ description: 'How many', integer: true, min: 1 }) count = 1;
  @Param({ description: 'Note', optional: true }) note?: string;
  @Param({ description: 'Tags', type: [String] }) tags!: string[];
}
export class Result${id} {
  @Field('Order id') orderId!: string;
  @Field('Total') total!: number;
}
`;
}

function sectionText(section: number, from: string): string {
  const ids = Array.from({ length: TOOLS_EACH }, (_, index) => index);
  const methods = ids.map((index) => {
    const id = `${String(section)}x${String(index)}`;
    return `
  @Tool({ name: 'tool_${id}', description: 'Does it.', params: () => Params${id}, result: Result${id} })
  async tool${id}(params: Params${id}, context: ToolContext): Promise<ToolResult<Result${id}>> {
    context.signal.throwIfAborted();
    return ToolResult.ok({ orderId: params.orderId, total: params.count });
  }`;
  });
  return `import { Field, Param, Section, Tool, ToolContext, ToolResult } from '${from}';
${ids.map((index) => toolText(section, index)).join('')}
@Section({ key: 's${String(section)}', title: 'Section', template: 'Text.' })
export class Section${String(section)} {${methods.join('\n')}
}
`;
}

function writeProject(name: string, from: string): string {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeFileSync(join(root, 'loose.ts'), looseDecorators);
  for (let section = 0; section < SECTIONS; section++) {
    writeFileSync(join(root, `section${String(section)}.ts`), sectionText(section, from));
  }
  return root;
}

interface Figures {
  readonly seconds: number;
  readonly megabytes: number;
}

function check(root: string): Figures {
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', root, '--extendedDiagnostics'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new TypeError(`tsc found faults:\n${stdout.slice(0, 2_000)}`);
  const figure = (name: string): number => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return { seconds: figure('Total time'), megabytes: figure('Memory used') / 1024 };
}

function main(): void {
  const typed = writeProject('typed', 'toolwright');
  const loose = writeProject('loose', './loose.js');
  const rounds = Array.from({ length: ROUNDS }, () => ({ typed: check(typed), loose: check(loose) }));
  const figure = (of: (round: (typeof rounds)[number]) => number): Figure => figureOf(rounds.map(of));
  const report = new Report('typecheck');
  report.add(
    'tsc over 500 tools',
    figure(({ typed }) => typed.seconds),
    's',
  );
  report.add(
    'tsc over 500 tools, memory',
    figure(({ typed }) => typed.megabytes),
    'MB',
  );
  report.add(
    'tsc over 500 tools / untyped decorators',
    figure(({ typed, loose }) => typed.seconds / loose.seconds),
    'x',
  );
  report.keep();
}

try {
  main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
