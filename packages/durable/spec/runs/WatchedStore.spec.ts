import { MemoryRuns } from '@toolwright/durable';
import { Changes } from '../../src/runs/Changes';
import { WatchedStore } from '../../src/runs/WatchedStore';

const session = { name: 'cart-17', changes: [{ version: 1, delta: { appended: { '"cart"': ['x'] } } }] };
const LONG_MS = 60_000;

test('an append of a change of a shared session alone wakes those who watch the conversation', async () => {
  const changes = new Changes(LONG_MS);
  const store = new WatchedStore(new MemoryRuns(), changes);
  const { epoch } = await store.open('c');
  const watch = changes.watch({ tenant: null, conversation: 'c' }, true);
  const woken = watch.next();
  await store.append({ conversation: 'c', epoch, after: 0, session }, []);
  await woken;
  watch.stop();
});

test('shared sessions are read and deleted in the store below', async () => {
  const memory = new MemoryRuns();
  const store = new WatchedStore(memory, new Changes(LONG_MS));
  const { epoch } = await store.open('c');
  await store.append({ conversation: 'c', epoch, after: 0, session }, []);
  expect(await store.sessionChanges('cart-17')).toEqual(session.changes);
  expect(await store.sessionChanges('cart-17', 1)).toEqual([]);
  await store.deleteSession('cart-17');
  expect(await memory.sessionChanges('cart-17')).toEqual([]);
});
