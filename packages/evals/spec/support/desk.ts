import 'reflect-metadata';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  ToolResult,
  type ToolContext,
  bind,
} from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';
import { type ScriptedCall, ScriptedModel } from 'toolwright/testing';
import { defineEval, type EvalOptions, type EvalTask, promptRun } from '@toolwright/evals';

export class Seat {
  @Param({ description: 'Seat', type: String }) seat!: string;
  @Param({ description: 'Passenger', type: String }) passenger!: string;
}

/** The seats of the airline, outside of the session. */
export class Bookings extends TransactionalTable<string, { readonly passenger: string }> {}

const bookSeat = defineTool({
  name: 'book_seat',
  description: 'Book a seat.',
  params: Seat,
  handler: async ({ seat, passenger }: Seat, { resources, session }: ToolContext) => {
    const bookings = resources.get(Bookings);
    if (bookings.has(seat)) return ToolResult.error(`Seat ${seat} is taken.`);
    bookings.set(seat, { passenger });
    session.dispatch(Object.assign(new Seat(), { seat, passenger }));
    return ToolResult.ok();
  },
});
const cancelSeat = defineTool({
  name: 'cancel_seat',
  description: 'Cancel a seat.',
  params: Seat,
  handler: ({ seat }: Seat, { resources }: ToolContext) =>
    resources.get(Bookings).delete(seat) ? ToolResult.ok() : ToolResult.error(`Seat ${seat} is free.`),
});

/** A prompt with two tools. */
export const Airline = definePrompt({
  ns: 'airline',
  key: 'desk',
  sections: [defineSection({ key: 'seats', title: 'Seats', tools: [bookSeat, cancelSeat] })],
});

export const openAirline = () =>
  createApplication({ prompts: [Airline], resources: [bind(Bookings, { value: new Bookings() })] });

export const book = (seat: string, passenger: string): ScriptedCall => ({
  name: 'book_seat',
  arguments: { seat, passenger },
});

/** A task whose model makes the calls of its metadata. */
export function createTask(
  id: string,
  given: Partial<EvalTask> & { readonly calls?: readonly ScriptedCall[] },
): EvalTask {
  const { calls = [], ...rest } = given;
  return { id, input: `Do ${id}.`, metadata: { calls }, ...rest };
}

/** The run of the airline's prompt by a model that follows the metadata of its task. */
export const runAirline = promptRun({
  app: openAirline,
  prompt: Airline,
  session: () => new Session({ slices: [Seat] }),
  resources: [Bookings],
  adapter: ({ metadata }) =>
    new ScriptedModel([{ toolCalls: metadata?.['calls'] as readonly ScriptedCall[] }, { text: 'Done.' }]),
});

/** An eval of tasks that need no model: `run` returns the input as the answer. */
export const defineEcho = (options: Partial<EvalOptions<string>> & Pick<EvalOptions<string>, 'tasks'>) =>
  defineEval<string>({ name: 'echo', run: ({ input }) => ({ text: input }), ...options });
