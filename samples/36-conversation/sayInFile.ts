import { createApplication, type ModelAdapter, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { Desk, OrderChanged } from './desk.js';

/** Says one message in a conversation that a file keeps. The next message may come from another process. */
export async function sayInFile(path: string, content: string, adapter: ModelAdapter): Promise<string | null> {
  const app = await createApplication({ prompts: [Desk] });
  const store = new SqliteRuns(path);
  const conversation = await Conversation.open(store, 'c-1');
  const { text } = await app.evaluate(app.prompt(Desk), {
    adapter,
    conversation,
    // Empty, with all slices: the conversation restores their state.
    session: new Session({ slices: [OrderChanged] }),
    messages: [{ role: 'user', content }],
  });
  await store.close();
  await app.close();
  return text;
}
