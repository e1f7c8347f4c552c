import { transformSync } from '@swc/core';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../../../..');

/** The command, as the package has it. */
export const bin = join(root, 'packages/cli/dist/main.cjs');

/** Scripts find the Node of this process first, and the commands of packages that an installation would have put there. */
const PATH = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);

/** What a command wrote, and how it ended. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** How a command is started. */
export interface RunSettings {
  /** A folder of the project; the project's own by default. */
  readonly folder?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Is called with what was written so far, and the process. */
  readonly watch?: (
    said: string,
    child: { kill(signal: NodeJS.Signals): unknown; write(text: string): unknown },
  ) => void;
}

/** A folder of a user with its files and packages, in which commands are run. */
export class CliProject {
  readonly folder: string;

  /** @param packages that are installed, by links to those of the repository */
  constructor(files: Readonly<Record<string, string>>, packages: readonly string[] = PACKAGES) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-cli-')));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    for (const name of packages) this.install(name);
  }

  write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  install(name: string, from = join(root, 'node_modules', name)): void {
    const link = join(this.folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(from, link, 'junction');
  }

  /** Runs the command in pipes. */
  run(args: readonly string[], settings: RunSettings = {}): Promise<Ran> {
    return this.#spawn(process.execPath, [bin, ...args], settings);
  }

  /** Runs the command in a pseudo terminal; both of its outputs are that terminal. */
  runInTerminal(args: readonly string[], settings: RunSettings = {}): Promise<Ran> {
    return this.execInTerminal([process.execPath, bin, ...args], settings);
  }

  /** Runs another program in a pseudo terminal. */
  execInTerminal(parts: readonly string[], settings: RunSettings = {}): Promise<Ran> {
    const command = parts.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
    // `script` belongs to every Debian; its terminal has no size of its own. A shell that waits would end by Ctrl-C itself.
    return this.#spawn('script', ['-qec', `stty cols 100 rows 40; exec ${command}`, '/dev/null'], {
      ...settings,
      env: { TERM: 'xterm', NO_COLOR: '', ...settings.env },
    });
  }

  /** Runs another program. */
  exec(command: string, args: readonly string[], settings: RunSettings = {}): Promise<Ran> {
    return this.#spawn(command, args, settings);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #spawn(command: string, args: readonly string[], { folder = '.', input, env, watch }: RunSettings): Promise<Ran> {
    const { NODE_OPTIONS: _options, NODE_ENV: _env, FORCE_COLOR: _color, ...inherited } = process.env;
    const child = spawn(command, args, {
      cwd: join(this.folder, folder),
      env: { ...inherited, PATH, NO_COLOR: '1', ...env },
    });
    let [out, err] = ['', ''];
    const control = {
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      write: (text: string) => child.stdin.write(text),
    };
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
      watch?.(out + err, control);
    });
    child.stderr.on('data', (part: Buffer) => {
      err += part.toString();
      watch?.(out + err, control);
    });
    // A command that reads no input may have ended.
    child.stdin.on('error', () => undefined);
    if (watch === undefined) child.stdin.end(input ?? '');
    return new Promise((settle, reject) => {
      child.on('error', reject).on('close', (code) => {
        settle({ code, out, err });
      });
    });
  }
}

const PACKAGES = [
  'toolwright',
  'reflect-metadata',
  'class-validator',
  'class-transformer',
  'typescript',
  '@types/node',
  'gpt-tokenizer',
  '@toolwright/mcp',
  '@toolwright/openai',
  '@toolwright/programs',
];

/** The files of a shop: a prompt with params, a tool that is rehearsed, one that cannot be, one that waits for an approval. */
export const shop: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module", "private": true }\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  }),
  'toolwright.config.ts': `import { createApplication, Session, type Clock } from 'toolwright';
import { Desk, Order } from './src/desk.js';

console.log('the application is made');
export default ({ approver }: { approver: never }) => createApplication({ prompts: [Desk], approver });
export const session = () => new Session({ slices: [Order] });
`,
  'src/person.ts': 'export interface Person { readonly name: string }\n',
  'src/desk.ts': `import { Param, Prompt, Section, Tool, ToolContext } from 'toolwright';
import { Person } from './person.js';

export class Order {
  @Param({ description: 'Article', type: String }) readonly article: string;
  constructor(article: string) { this.article = article; }
}
class DeskParams {
  @Param('The tier') tier: string = 'silver';
  @Param({ description: 'Discount', type: Number }) discount = 0;
}
class OrderParams {
  @Param('The article') article!: string;
}
class Note {
  // Only a type: nothing of it exists at run time.
  by(@Reflect.metadata('x', 1) _person: Person): void {}
}
@Section({ key: 'orders', title: 'Orders', template: 'For \${tier} customers: \${discount} % off.', params: DeskParams })
class Orders {
  readonly note = new Note();
  @Tool({ description: 'List orders.', hints: { readOnly: true } })
  listOrders({ session }: ToolContext): readonly Order[] { return session.slice(Order).all(); }
  @Tool({ description: 'Place an order.', hints: { openWorld: false } })
  placeOrder({ article }: OrderParams, { session }: ToolContext): string {
    session.dispatch(new Order(article));
    return \`Ordered \${article}.\`;
  }
  @Tool('Send a letter.')
  sendLetter({ article }: OrderParams): string { console.log('sent'); return \`Sent \${article}.\`; }
  @Tool({ description: 'Refund an order.', hints: { openWorld: false }, requiresApproval: true })
  refund({ article }: OrderParams): string { return \`Refunded \${article}.\`; }
}
@Section({ key: 'terms', title: 'Terms', template: 'All of the terms.', summary: 'Terms.', visibility: 'summary' })
class Terms {}
@Prompt({ ns: 'shop', key: 'desk', sections: [Orders, Terms] })
export class Desk {}
`,
  'replies.json': JSON.stringify([
    { toolCalls: [{ name: 'place_order', arguments: { article: 'tea' } }] },
    'Tea is ordered.',
  ]),
};

/** The same files as a build would leave them: what starts a command often must not compile each time. */
export function built(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const sources = Object.entries(files).filter(([path]) => path !== 'tsconfig.json');
  return Object.fromEntries(
    sources.map(([path, text]) =>
      path.endsWith('.ts') ? [path.replace(/\.ts$/, '.js'), compiled(text)] : [path, text],
    ),
  );
}

function compiled(text: string): string {
  return transformSync(text.replace('import { Person }', 'import type { Person }'), {
    configFile: false,
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
    module: { type: 'es6' },
  }).code;
}
