import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext, ToolResult } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { defineEval, endState, promptRun, runEval, trajectory, writeSummary } from '@toolwright/evals';

class BookSeat {
  @Param('Number of the seat, e.g. 12A') seat!: string;
  @Param('Name of the passenger') passenger!: string;
}

@Section({ title: 'Seats', template: 'Book the seats that passengers ask for.' })
class Seats {
  @Tool('Book one seat for one passenger.')
  bookSeat(booking: BookSeat, { session }: ToolContext): ToolResult {
    const isTaken = session.slice(BookSeat).where(({ seat }) => seat === booking.seat).length > 0;
    if (isTaken) return ToolResult.error(`Seat ${booking.seat} is taken.`);
    session.dispatch(booking);
    return ToolResult.ok();
  }
}

@Prompt({ ns: 'airline', key: 'desk', sections: [Seats] })
class Desk {}

const app = await createApplication({ prompts: [Desk] });
const book = (seat: string, passenger: string) => ({ name: 'book_seat', arguments: { seat, passenger } });
const seats = defineEval({
  name: 'seats',
  tasks: [
    {
      id: 'one seat',
      input: 'Book 12A for Ada.',
      expected: { calls: [book('12A', 'Ada')], state: { BookSeat: [{ seat: '12A', passenger: 'Ada' }] } },
    },
    {
      id: 'another seat',
      input: 'Book 14C for Grace.',
      expected: { calls: [book('14C', 'Grace')], state: { BookSeat: [{ seat: '14C', passenger: 'Grace' }] } },
    },
  ],
  run: promptRun({
    app,
    prompt: Desk,
    session: () => new Session({ slices: [BookSeat] }),
    // Not a model: it always books 12A. Use an adapter such as OpenAIChatAdapter in its place.
    adapter: () => new ScriptedModel([{ toolCalls: [book('12A', 'Ada')] }, { text: 'Done.' }]),
  }),
  score: {
    calls: trajectory({ mode: 'unordered' }),
    state: endState({ read: ({ session }) => session?.toJSON().slices }),
  },
  gates: { state: { share: 0.4 } },
  epochs: 3,
});

console.log(writeSummary(await runEval(seats, { results: 'results.jsonl' })));
await app.close();
