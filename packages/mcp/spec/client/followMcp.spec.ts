import 'reflect-metadata';
import { type Application, createApplication, definePrompt } from 'toolwright';
import { followMcp } from '@toolwright/mcp';
import { closeServers, connected, text } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

afterEach(closeServers);

interface Desk {
  readonly app: Application;
  readonly names: readonly string[];
}

const options = { key: 'remote', title: 'Remote', logger: silent };

async function made(section: new () => object): Promise<Desk> {
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  return { app, names: (await app.prompt(prompt).render()).tools.map(({ name }) => name) };
}

/** Notifications come when they come. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('following a server', () => {
  test('a change of the list creates a new prompt, and the old one keeps working', async () => {
    const tools = [{ name: 'a' }];
    const { client, server } = await connected({ tools, call: (name) => text(name) });
    const before: (Desk | undefined)[] = [];
    const follower = await followMcp(client, options, (section, previous: Desk | undefined) => {
      before.push(previous);
      return made(section);
    });
    const first = await follower.current();
    expect([first.names, follower.isStale, await follower.current()]).toEqual([['a'], false, first]);
    tools.push({ name: 'b' });
    await server.sendToolListChanged();
    await until(() => follower.isStale);
    const second = await follower.current();
    expect([second.names, first.names, follower.isStale]).toEqual([['a', 'b'], ['a'], false]);
    expect(before).toEqual([undefined, first]);
    follower.close();
    await Promise.all([first.app.close(), second.app.close()]);
  });

  test('many changes and many requests create one new prompt', async () => {
    const tools = [{ name: 'a' }];
    const { client, server } = await connected({ tools, resources: [] });
    let times = 0;
    const follower = await followMcp(client, options, () => ++times);
    for (const name of ['b', 'c', 'd']) {
      tools.push({ name });
      await server.sendToolListChanged();
    }
    await server.sendResourceListChanged();
    await until(() => follower.isStale);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await Promise.all([follower.current(), follower.current(), follower.current()])).toEqual([2, 2, 2]);
    follower.close();
  });

  test('two followers of one client are both notified of a change', async () => {
    const { client, server } = await connected({ tools: [{ name: 'a' }] });
    const followers = await Promise.all([1, 2].map(() => followMcp(client, options, () => ({}))));
    await server.sendToolListChanged();
    await until(() => followers.every(({ isStale }) => isStale));
    for (const follower of followers) follower.close();
    await followers[0]?.current();
    await server.sendToolListChanged();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(followers.map(({ isStale }) => isStale)).toEqual([false, true]);
  });

  test('a list that cannot be read is asked for again by the next one', async () => {
    let isBroken = false;
    const { client, server } = await connected({
      pages: () => (isBroken ? { tools: 'none' } : { tools: [{ name: 'a' }] }),
    });
    let times = 0;
    const follower = await followMcp(client, options, () => ++times);
    isBroken = true;
    await server.sendToolListChanged();
    await until(() => follower.isStale);
    await expect(follower.current()).rejects.toThrow(/^E681 /);
    isBroken = false;
    expect(await follower.current()).toBe(2);
    follower.close();
  });

  test('a reconnected client counts as a change', async () => {
    const one = await connected({ tools: [{ name: 'a' }] });
    const other = await connected({ tools: [{ name: 'b' }] });
    let { client } = one;
    const follower = await followMcp(
      () => client,
      options,
      async (section) => {
        const desk = await made(section);
        await desk.app.close();
        return desk.names;
      },
    );
    await one.client.close();
    client = other.client;
    expect(await follower.current()).toEqual(['b']);
    follower.close();
  });
});
