import { createApplication, type Deadline, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { silent } from '../../../../spec/support/silent';
import type { ProviderDoor } from './ProviderDoor';
import { ProviderDouble, type ScriptedTurn } from './ProviderDouble';

class Booked {
  constructor(readonly room: string) {}
}

const running: ProviderDouble[] = [];

/** A double of the provider that plays the script; specs that use it call `stopHouses` after each test. */
export async function doubleOf(door: ProviderDoor, ...script: readonly ScriptedTurn[]): Promise<ProviderDouble> {
  const double = await ProviderDouble.speaking(door.wire, ...script);
  running.push(double);
  return double;
}

/** Ends every double. */
export async function stopHouses(): Promise<void> {
  await Promise.all(running.splice(0).map((double) => double.stop()));
}

/** An application that books rooms, in front of a provider that plays the script. */
export async function bookingHouse(door: ProviderDoor, ...script: readonly ScriptedTurn[]) {
  const double = await doubleOf(door, ...script);
  @Section({ title: 'Rooms', template: 'Book rooms.' })
  class Rooms {
    @Tool('Book a room.')
    book(@Param('room', 'Room') room: string, context: ToolContext) {
      context.session.dispatch(new Booked(room));
      return `Booked ${room}.`;
    }
  }
  @Prompt({ ns: 'house', key: 'rooms', sections: [Rooms] })
  class House {}
  const clock = new FakeClock();
  const app = await createApplication({ prompts: [House], clock, logger: silent, random: () => 0 });
  const session = new Session();
  const adapter = door.adapter(double.baseURL);
  const messages = [{ role: 'user', content: 'Book a room.' }] as const;
  const options = { adapter, session, messages };
  return {
    double,
    clock,
    adapter,
    rooms: () =>
      session
        .slice(Booked)
        .all()
        .map(({ room }) => room),
    problems: () => double.requests.flatMap(({ problems }) => problems),
    outputs: () => door.outputs(double.requests.at(-1)!.body),
    run: (deadline?: Deadline) =>
      app.evaluate(app.prompt(House), { ...options, ...(deadline === undefined ? {} : { deadline }) }),
    stream: async () => {
      for await (const event of app.stream(app.prompt(House), options))
        if (event.kind === 'done') return event.response;
      throw new Error('the stream ended without the response');
    },
  };
}
