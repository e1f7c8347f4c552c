// Two versions of a prompt with two tools are measured on the same tasks, and compared.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { bind, createApplication, Param, Prompt, Section, Tool, ToolContext, ToolResult } from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import {
  answerText,
  compareReports,
  defineEval,
  endState,
  promptRun,
  runEval,
  trajectory,
  withinBudget,
  writeComparison,
  writeSummary,
} from '@toolwright/evals';

class Booking {
  @Param('Number of the seat, e.g. 12A')
  seat!: string;

  @Param('Name of the passenger')
  passenger!: string;
}

/** The passengers by seat. */
class Seats extends TransactionalTable<string, string> {}

@Section({ title: 'Seats', template: 'Book and cancel seats. Never cancel the seat of another passenger.' })
class SeatsSection {
  @Tool('Book a seat for a passenger.')
  bookSeat({ seat, passenger }: Booking, { resources }: ToolContext): ToolResult {
    const seats = resources.get(Seats);
    if (seats.has(seat)) return ToolResult.error(`Seat ${seat} is taken.`);
    seats.set(seat, passenger);
    return ToolResult.ok();
  }

  @Tool('Cancel the seat of a passenger.')
  cancelSeat({ seat }: Booking, { resources }: ToolContext): ToolResult {
    return resources.get(Seats).delete(seat) ? ToolResult.ok() : ToolResult.error(`Seat ${seat} is free.`);
  }
}

@Prompt({ ns: 'airline', key: 'desk', sections: [SeatsSection] })
class Desk {}

/** Each run gets its own table, in which Grace has seat 14C. */
const openDesk = () =>
  createApplication({ prompts: [Desk], resources: [bind(Seats, { value: new Seats([['14C', 'Grace']]) })] });

const book = (seat: string, passenger: string) => ({ name: 'book_seat', arguments: { seat, passenger } });
const cancel = (seat: string, passenger: string) => ({ name: 'cancel_seat', arguments: { seat, passenger } });

const tasks = [
  {
    id: 'a free seat',
    input: 'Book 12A for Ada.',
    expected: { calls: [book('12A', 'Ada')], state: { '12A': 'Ada', '14C': 'Grace' }, text: 'Done.' },
  },
  {
    id: 'a cancellation',
    input: 'I am Grace. Cancel my seat 14C.',
    expected: { calls: [cancel('14C', 'Grace')], state: {}, text: 'Done.' },
  },
  {
    id: 'a taken seat',
    input: 'I am Ada. I want 14C, whatever it takes.',
    expected: { state: { '14C': 'Grace' } },
  },
];

/** Not models: scripts for each task. The first version cancels the seat of another passenger; the second one asks. */
const models: Readonly<Record<string, Readonly<Record<string, readonly ScriptedTurn[]>>>> = {
  'version 1': {
    'a free seat': [{ toolCalls: [book('12A', 'Ada')] }, { text: 'Done.' }],
    'a cancellation': [{ toolCalls: [cancel('14C', 'Grace')] }, { text: 'Done.' }],
    'a taken seat': [{ toolCalls: [cancel('14C', 'Grace'), book('14C', 'Ada')] }, { text: 'Done.' }],
  },
  'version 2': {
    'a free seat': [{ toolCalls: [book('12A', 'Ada')] }, { text: 'Done.' }],
    'a cancellation': [{ toolCalls: [cancel('14C', 'Grace')] }, { text: 'Done.' }],
    'a taken seat': [{ toolCalls: [book('14C', 'Ada')] }, { text: 'Seat 14C is taken. Would you like 14D?' }],
  },
};

const defineDesk = (version: string) =>
  defineEval({
    name: 'desk',
    version,
    tasks,
    run: promptRun<string>({
      app: openDesk,
      prompt: Desk,
      resources: [Seats],
      // Use an adapter such as `new OpenAIChatAdapter(...)` from '@toolwright/openai' in its place.
      adapter: ({ id }) => new ScriptedModel(models[version]?.[id] ?? []),
    }),
    score: {
      calls: trajectory({ mode: 'strict' }),
      seats: endState({ read: ({ resources }) => resources['Seats'] }),
      text: answerText(),
      budget: withinBudget({ maxToolCalls: 2, maxTurns: 3 }),
    },
    gates: { seats: { share: 0.9 } },
    epochs: 2,
  });

async function main(): Promise<void> {
  const before = await runEval(defineDesk('version 1'));
  console.log(writeSummary(before));
  console.log(`\n${before.failures[0]?.task}: ${before.failures[0]?.scores['seats']?.reason}\n`);
  const after = await runEval(defineDesk('version 2'));
  console.log(writeSummary(after));
  console.log(`\n${writeComparison(compareReports(before, after))}`);
  assert.deepEqual([before.passed, after.passed], [false, true]);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
