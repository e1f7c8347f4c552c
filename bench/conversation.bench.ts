// Measures whether a turn costs more as its conversation grows. The model is in the same process and takes no time. A bare loop does
// the same without a framework: it appends to a list, and hands it on.
import 'reflect-metadata';
import {
  createApplication,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  type Application,
  type Message,
  type ModelAdapter,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { inForm } from './harness/effort.js';
import { figureOf } from './harness/Figure.js';
import { Report } from './harness/Report.js';

class FindParams {
  @Param('What to look for.')
  text!: string;
}

@Section({ key: 'notes', title: 'Notes', template: 'Find the notes that you are asked for.' })
class NotesSection {
  @Tool('Find a note.')
  findNote({ text }: FindParams): string {
    return `found ${text}`;
  }
}

@Prompt({ ns: 'bench', key: 'notes', sections: [NotesSection] })
class Notes {}

/** The turns, counted from 1, whose costs are compared. */
const places = [2, 200, 1_500] as const;
/** Turns that are timed together at each place. */
const window = 10;
const args = JSON.stringify({ text: 'the last order' });
const usage = { inputTokens: 1, outputTokens: 1 };
const report = new Report('conversation');

/** A model that calls the tool, and then answers with its result. */
const adapter: ModelAdapter = {
  name: 'in process (not a model)',
  complete: async ({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { text: last.content, toolCalls: [], finishReason: 'stop', usage };
    const toolCalls = [{ id: 'c1', name: 'find_note', arguments: args }];
    return { text: null, toolCalls, finishReason: 'tool_calls', usage };
  },
};

/** Runs a turn, and returns the text of its answer. */
type Turn = () => Promise<string | null>;

function converse(app: Application): Turn {
  const prompt = app.prompt(Notes);
  const conversation = new Conversation();
  const session = new Session();
  const messages = [{ role: 'user', content: 'And now?' }] as const;
  return async () => (await app.evaluate(prompt, { adapter, session, conversation, messages })).text;
}

/** The least that a conversation costs: a list of messages, the model, the arguments, and the handler. */
function converseBare(): Turn {
  const section = new NotesSection();
  const sent: Message[] = [{ role: 'system', content: 'Find the notes that you are asked for.' }];
  return async () => {
    sent.push({ role: 'user', content: 'And now?' });
    for (;;) {
      const answer = await adapter.complete({ messages: sent } as unknown as Parameters<ModelAdapter['complete']>[0]);
      sent.push({ role: 'assistant', content: answer.text, toolCalls: answer.toolCalls });
      if (answer.toolCalls.length === 0) return answer.text;
      for (const call of answer.toolCalls) {
        const content = section.findNote(JSON.parse(call.arguments as string) as FindParams);
        sent.push({ role: 'tool', toolCallId: call.id, name: call.name, content, failed: false });
      }
    }
  };
}

/** Returns the milliseconds of CPU time of a turn at each place of new conversations. */
async function timePlaces(begin: () => Turn): Promise<readonly number[]> {
  const spent = places.map(() => 0);
  for (let repeat = 0; repeat < inForm(6, 3); repeat++) {
    const turn = begin();
    let taken = 1;
    await turn();
    for (const [at, place] of places.entries()) {
      for (; taken < place - 1; taken++) await turn();
      const start = process.cpuUsage();
      for (let each = 0; each < window; each++, taken++) await turn();
      const { user, system } = process.cpuUsage(start);
      spent[at]! += (user + system) / 1_000 / window;
    }
  }
  return spent;
}

async function measureGrowth(app: Application): Promise<void> {
  const contenders = { toolwright: () => converse(app), 'a bare loop': converseBare };
  for (const [name, begin] of Object.entries(contenders)) {
    if ((await begin()()) !== 'found the last order') throw new TypeError(`${name} gives another answer`);
    const rounds: (readonly number[])[] = [];
    for (let round = 0; round < inForm(16, 10); round++) rounds.push(await timePlaces(begin));
    const warm = rounds.slice(1);
    for (const [at, place] of places.entries())
      if (at > 0)
        report.add(
          `${name}, turn ${place.toLocaleString('en')} / turn 2`,
          figureOf(warm.map((spent) => spent[at]! / spent[0]!)),
          'x',
          name === 'toolwright' ? [1.2, 1.5][at - 1] : undefined,
        );
  }
}

async function main(): Promise<void> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [Notes], logger: quiet });
  await measureGrowth(app);
  report.keep();
}

void main();
