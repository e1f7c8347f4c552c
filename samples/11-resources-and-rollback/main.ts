// Resources: opened, shared, closed and rolled back by the framework. The binding of a resource sets its lifetime.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bind,
  createApplication,
  type Logger,
  Param,
  Prompt,
  Section,
  type Snapshotable,
  Tool,
  ToolContext,
  ToolResult,
} from 'toolwright';
import { InMemoryFilesystem } from 'toolwright/resources';

const log: string[] = [];
const note = (line: string): void => {
  log.push(line);
  console.log(line);
};

// A resource that is changed in place: a folder has no overlay, but it can be restored. Tools use it through a handle; the
// snapshot is taken before the first method that is not among `reads`.
class Archive implements Snapshotable<ReadonlyMap<string, string>> {
  readonly reads = ['names'];

  constructor(private readonly folder: string) {}

  async names(): Promise<readonly string[]> {
    return (await readdir(this.folder)).sort();
  }

  async put(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, name), text);
  }

  async empty(): Promise<void> {
    for (const name of await this.names()) await rm(join(this.folder, name));
  }

  async snapshot(): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const name of await this.names()) texts.set(name, await readFile(join(this.folder, name), 'utf8'));
    return texts;
  }

  async restore(texts: ReadonlyMap<string, string>): Promise<void> {
    await this.empty();
    for (const [name, text] of texts) await this.put(name, text);
  }
}

// Takes time to open, and has to be closed.
class Database {
  static async connect(): Promise<Database> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    note('database opened');
    return new Database();
  }

  customerOf(order: string): string {
    return order === 'o1' ? 'Ada' : 'Grace';
  }

  async end(): Promise<void> {
    note('database closed');
  }
}

// Lives for one call: it may hold state that is rolled back, and is not shared with other calls.
let desks = 0;
class ReturnsDesk {
  readonly number = ++desks;

  constructor(
    private readonly database: Database,
    private readonly drafts: InMemoryFilesystem,
  ) {}

  async draft(order: string): Promise<string> {
    const customer = this.database.customerOf(order);
    await this.drafts.write(`${order}.txt`, `Dear ${customer}, your return is accepted.`);
    return customer;
  }

  close(): void {
    note(`desk ${String(this.number)} closed`);
  }
}

// A new one for each `get`.
class Stamp {
  constructor(readonly number: number) {}
}

class ReturnParams {
  @Param('Order id') order!: string;
  @Param({ description: 'What is in the parcel', enum: ['complete', 'empty'] }) parcel!: 'complete' | 'empty';
}

@Section({ title: 'Returns' })
class ReturnsSection {
  @Tool('Accept the return of an order.')
  async acceptReturn({ order, parcel }: ReturnParams, { resources }: ToolContext): Promise<ToolResult> {
    const customer = await resources.get(ReturnsDesk).draft(order); // an overlay: dropped when the call fails
    await resources.get(Archive).empty(); // done in place: restored when the call fails
    await resources.get(Archive).put(`${order}.txt`, `stamp ${String(resources.get(Stamp).number)}`);
    if (parcel === 'empty') return ToolResult.error(`The parcel of ${customer} is empty. Ask for the goods.`);
    return ToolResult.ok(null, `Return of ${order} accepted for ${customer}.`);
  }
}

@Prompt({ ns: 'samples', key: 'returns', sections: [ReturnsSection] })
class Returns {}

const logger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  await writeFile(join(folder, 'o0.txt'), 'stamp 0');
  const drafts = new InMemoryFilesystem();
  let stamps = 0;
  try {
    // `await using` closes the application at the end of the block: resources that were opened last are closed first.
    await using app = await createApplication({
      prompts: [Returns],
      logger,
      resources: [
        bind(Archive, { value: new Archive(folder) }), // the host's own: it stays open
        bind(InMemoryFilesystem, { value: drafts }),
        bind(Database, { eager: true, provide: () => Database.connect(), close: (database) => database.end() }),
        bind(ReturnsDesk, {
          scope: 'toolCall',
          provide: (scope) => new ReturnsDesk(scope.get(Database), scope.get(InMemoryFilesystem)),
        }),
        bind(Stamp, { scope: 'prototype', provide: () => new Stamp(++stamps) }),
      ],
    });
    const rendered = await app.prompt(Returns).render();
    const state = async (): Promise<string> =>
      `archive: ${(await readdir(folder)).join(', ')} | drafts: ${Object.keys(drafts.files()).join(', ') || 'none'}`;
    note(`[${await state()}]`);

    const failed = await app.invoke(rendered, 'accept_return', { order: 'o2', parcel: 'empty' });
    note(`${failed.kind}: ${failed.text}`);
    note(`[${await state()}]`);
    assert.equal(failed.kind, 'failed');
    assert.equal(await state(), 'archive: o0.txt | drafts: none');
    assert.equal(await readFile(join(folder, 'o0.txt'), 'utf8'), 'stamp 0');

    const accepted = await app.invoke(rendered, 'accept_return', { order: 'o1', parcel: 'complete' });
    note(`${accepted.kind}: ${accepted.text}`);
    note(`[${await state()}]`);
    assert.equal(accepted.kind, 'succeeded');
    assert.equal(await state(), 'archive: o1.txt | drafts: o1.txt');
    assert.equal(await readFile(join(folder, 'o1.txt'), 'utf8'), 'stamp 2');

    // A prompt with other bindings, closed by itself: for a test, or for one tenant.
    const quiet = { customerOf: () => 'nobody', end: async () => note('double closed') } as unknown as Database;
    await using tested = app
      .prompt(Returns)
      .withResources([bind(Database, { value: quiet, close: (database) => database.end() })]);
    const doubled = await app.invoke(await tested.render(), 'accept_return', { order: 'o3', parcel: 'empty' });
    note(`${doubled.kind}: ${doubled.text}`);
    assert.match(doubled.text, /parcel of nobody/);
  } finally {
    await rm(folder, { recursive: true });
  }
  assert.deepEqual(
    log.filter((line) => / (opened|closed)$/.test(line)),
    ['database opened', 'desk 1 closed', 'desk 2 closed', 'desk 3 closed', 'double closed', 'database closed'],
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
