// Texts of a prompt are improved in files, without touching code; overrides of an older text are skipped.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createApplication, Param, Prompt, Section, Tool, type BoundPrompt } from 'toolwright';
import { FileOverridesStore, PromptOverridesError } from 'toolwright/overrides';

class DeskParams {
  @Param('Name of the shop')
  shop = 'Corner Books';
}

class FindOrderParams {
  @Param('Order id')
  orderId!: string;
}

@Section({ title: 'Orders', params: DeskParams, template: 'You help the customers of ${shop}.' })
class OrdersSection {
  @Tool({ description: 'Finds an order.', result: String })
  findOrder({ orderId }: FindOrderParams): string {
    return `${orderId} is on its way.`;
  }
}

@Section({ title: 'Refunds', template: 'Refund what came broken.' })
class RefundsSection {}

@Prompt({ ns: 'samples', key: 'desk', sections: [OrdersSection, RefundsSection] })
class Desk {}

/** The next release: a template was rewritten, under the same prompt, key and path. */
@Section({ key: 'refunds', title: 'Refunds', template: 'Refund what came broken, within 30 days.' })
class NewRefundsSection {}

@Prompt({ ns: 'samples', key: 'desk', sections: [OrdersSection, NewRefundsSection] })
class NextDesk {}

const warnings: string[] = [];
const logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message: string) => void warnings.push(message),
  error: console.error,
};

async function firstRelease(folder: string): Promise<BoundPrompt> {
  const overrides = new FileOverridesStore(folder);
  const app = await createApplication({ prompts: [Desk], overrides, logger });
  const prompt = app.prompt(Desk);
  const declared = await prompt.render();

  console.log('--- Written once, by a host or by hand ---');
  await prompt.overrides.write({
    sections: {
      orders: { body: 'You help the customers of ${shop}. Look an order up first.' },
      refunds: { body: 'Refund what came broken. Ask for a photo first.' },
    },
    tools: {
      find_order: {
        description: 'Find one order and where it is. Use it before you answer any question about an order.',
        params: { orderId: 'Order id as the customer wrote it, such as "#1042"' },
        examples: [{ description: 'Where is it?', input: { orderId: '#7' }, output: '#7 is on its way.' }],
      },
    },
  });
  const file = overrides.pathOf(prompt, 'latest');
  console.log(relative(folder, file));
  assert.match(readFileSync(file, 'utf8'), /"contractHash"/);

  console.log('\n--- The next rendering ---');
  const rendered = await prompt.render();
  console.log(rendered.text);
  console.log(JSON.stringify(rendered.toolParamDescriptions['find_order'], undefined, 2));
  assert.match(rendered.text, /customers of Corner Books\. Look an order up/);
  assert.match(JSON.stringify(rendered.toolSchemas('openai')), /as the customer wrote it/);
  assert.notEqual(rendered.fingerprint, declared.fingerprint);
  // Names, types and handlers are not overridden: the tool is called as before.
  const { text } = await app.invoke(rendered, 'find_order', { orderId: '#1042' });
  assert.equal(text, '#1042 is on its way.');
  await app.close();
  return prompt;
}

async function nextRelease(folder: string, before: BoundPrompt): Promise<void> {
  console.log('\n--- After a release that rewrites a text ---');
  const app = await createApplication({ prompts: [NextDesk], overrides: new FileOverridesStore(folder), logger });
  const prompt = app.prompt(NextDesk);
  const { text } = await prompt.render();
  console.log(text);
  console.log(`\n${wrap(warnings.join('\n'))}`);
  assert.match(text, /within 30 days/);
  assert.doesNotMatch(text, /photo/);
  assert.match(text, /Look an order up first/);
  assert.equal(warnings.length, 1);

  // A write based on the old text is refused.
  const bodyHash = before.descriptor.sections.find(({ path }) => path === 'refunds')?.bodyHash;
  const refused: unknown = await prompt.overrides
    .write({ sections: { refunds: { body: 'Refund everything.', bodyHash } } }, { tag: 'draft' })
    .catch((error: unknown) => error);
  assert.ok(refused instanceof PromptOverridesError);
  console.log(`\n${refused.code}: ${String(refused.place)}`);
  assert.equal(refused.code, 'E521');
  await app.close();
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-sample-'));
  try {
    await nextRelease(folder, await firstRelease(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
