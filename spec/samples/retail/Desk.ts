import 'reflect-metadata';
import { Session, type Application, type RenderedPrompt, type ToolOutcome } from 'toolwright';
import { createRetailApplication, quietLogger } from '../../../samples/20-retail-desk/application.js';
import { everyChapter } from '../../../samples/20-retail-desk/everyChapter.js';
import { RetailDesk } from '../../../samples/20-retail-desk/RetailDesk.js';
import { RetailStore } from '../../../samples/20-retail-desk/store/RetailStore.js';
import type { RetailData, TableName } from '../../../samples/20-retail-desk/store/rows.js';
import { shop } from './fixture.js';

/** The desk of the sample over the small shop, with every chapter open, as a test calls it. */
export class Desk {
  private calls = 0;
  private readonly session = new Session();

  private constructor(
    readonly app: Application,
    readonly rendered: RenderedPrompt,
    readonly store: RetailStore,
  ) {}

  static async open(data: RetailData = shop): Promise<Desk> {
    const store = RetailStore.of(data).begin();
    const app = await createRetailApplication(store, { logger: quietLogger });
    const prompt = app.prompt(RetailDesk);
    return new Desk(app, await prompt.render(everyChapter(prompt)), store);
  }

  call(name: string, args: object = {}): Promise<ToolOutcome> {
    this.calls += 1;
    const call = { id: `c${this.calls}`, name, arguments: JSON.stringify(args) };
    return this.app.callTool(this.rendered, call, { session: this.session });
  }

  /** The value of a call that has to succeed. */
  async value(name: string, args: object = {}): Promise<unknown> {
    const outcome = await this.call(name, args);
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    return outcome.result.value;
  }

  /** The text that the model reads for a call that has to fail; a failed call changes nothing. */
  async refusal(name: string, args: object = {}): Promise<string> {
    const before = this.changedIds();
    const outcome = await this.call(name, args);
    expect(outcome.result.success).toBe(false);
    expect(this.changedIds()).toEqual(before);
    return outcome.text;
  }

  changedIds(): Record<TableName, readonly string[]> {
    const { orders, products, users } = this.store.differences();
    return { orders: [...orders.keys()], products: [...products.keys()], users: [...users.keys()] };
  }
}
