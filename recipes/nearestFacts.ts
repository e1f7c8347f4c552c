// Thousands of facts: the slice of the user says what is remembered, and PostgreSQL with pgvector finds the nearest facts.
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { SearchOptions } from 'toolwright';

/** The same function as `search.embed` of a prompt: a request to an embedding model, in production. */
type Embed = NonNullable<SearchOptions['embed']>;

/** Vectors of facts. Only facts that are asked about are found, so a fact that was forgotten never comes back from here. */
export class FactIndex {
  private constructor(
    private readonly database: PGlite,
    private readonly embed: Embed,
  ) {}

  static async open(embed: Embed, dimensions: number): Promise<FactIndex> {
    const database = await PGlite.create({ extensions: { vector } });
    await database.exec(`CREATE EXTENSION vector;
      CREATE TABLE facts (principal text, text text, meaning vector(${String(dimensions)}), PRIMARY KEY (principal, text))`);
    return new FactIndex(database, embed);
  }

  async nearest(principal: string, facts: readonly string[], question: string, limit: number): Promise<string[]> {
    const among = 'FROM facts WHERE principal = $1 AND text = ANY($2)';
    const { rows } = await this.database.query<{ text: string }>(`SELECT text ${among}`, [principal, facts]);
    const missing = facts.filter((fact) => rows.every(({ text }) => text !== fact));
    const [asked, ...meanings] = (await this.embed([question, ...missing])).map((one) => JSON.stringify(one));
    const add = 'INSERT INTO facts VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
    for (const [at, fact] of missing.entries()) await this.database.query(add, [principal, fact, meanings[at]]);
    const nearest = `SELECT text ${among} ORDER BY meaning <=> $3 LIMIT $4`;
    const found = await this.database.query<{ text: string }>(nearest, [principal, facts, asked, limit]);
    return found.rows.map(({ text }) => text);
  }

  /** Deletes the vectors of a user, after `forgetUser`. */
  async delete(principal: string): Promise<void> {
    await this.database.query('DELETE FROM facts WHERE principal = $1', [principal]);
  }
}

// ---
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication, Field, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { Conversation, forgetUser } from 'toolwright/conversations';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import { MemoryRuns } from '@toolwright/durable';

const DIMENSIONS = 256;

/** Counts the letters of each word in groups of three. This is not a model: it finds words that look alike, and no meanings. */
const countTrigrams: Embed = async (texts) =>
  texts.map((text) => {
    const counts = new Array<number>(DIMENSIONS).fill(0);
    for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
      for (let at = 0; at + 3 <= word.length; at++) {
        const place = [...word.slice(at, at + 3)].reduce(
          (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % DIMENSIONS,
          7,
        );
        counts[place] = (counts[place] ?? 0) + 1;
      }
    // pgvector has no angle for a vector of zeros.
    return counts.some((count) => count > 0) ? counts : counts.fill(1);
  });

const index = await FactIndex.open(countTrigrams, DIMENSIONS);

class Fact {
  @Field({ description: 'One short sentence', type: String }) readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

@Section({ title: 'Guest', template: 'Remember facts of the guest, and look them up before you offer anything.' })
class Guest {
  @Tool({ description: 'Remember a fact.', hints: { openWorld: false } })
  remember(@Param('fact', 'One short sentence') fact: string, { session }: ToolContext): string {
    session.dispatch(new Fact(fact));
    return 'I will remember it.';
  }

  @Tool({ description: 'Look up what is known of the guest.', hints: { readOnly: true } })
  async recall(@Param('about', 'Subject') about: string, { session, runMetadata }: ToolContext): Promise<string> {
    const facts = session
      .slice(Fact)
      .all()
      .map(({ text }) => text);
    const found = await index.nearest(runMetadata.principal ?? '', facts, about, 1);
    return found.join('\n') || 'Nothing is known.';
  }
}

@Prompt({ ns: 'recipes', key: 'waiter', sections: [Guest] })
class Waiter {}

const app = await createApplication({ prompts: [Waiter] });
const store = new MemoryRuns();

async function talk(
  principal: string,
  id: string,
  calls: readonly (readonly [tool: string, text: string])[],
): Promise<string[]> {
  const turns = calls.map(([name, text]): ScriptedTurn => ({
    toolCalls: [{ name, arguments: name === 'recall' ? { about: text } : { fact: text } }],
  }));
  const { transcript } = await app.evaluate(app.prompt(Waiter), {
    adapter: new ScriptedModel([...turns, { text: 'Done.' }]),
    conversation: await Conversation.open(store, id),
    session: new Session({ slices: [{ type: Fact, scope: 'user' }] }),
    messages: [{ role: 'user', content: 'Good evening.' }],
    runMetadata: { principal },
  });
  return transcript.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
}

await talk('ada', 'monday', [
  ['remember', 'Ada is allergic to nuts.'],
  ['remember', 'Ada likes a table at the window.'],
  ['remember', 'Ada drinks green tea.'],
]);
const questions = [
  ['recall', 'Which allergies?'],
  ['recall', 'Where should the table be?'],
] as const;
assert.deepEqual(await talk('ada', 'friday', questions), [
  'Ada is allergic to nuts.',
  'Ada likes a table at the window.',
]);
assert.deepEqual(await talk('ben', 'saturday', questions), ['Nothing is known.', 'Nothing is known.']);
await forgetUser(store, 'ada');
assert.deepEqual(await talk('ada', 'sunday', questions), ['Nothing is known.', 'Nothing is known.']);
await index.delete('ada');
await app.close();
console.log('The nearest facts were found, and forgotten.');
