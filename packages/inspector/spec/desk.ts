import {
  type ApplicationOptions,
  bind,
  createApplication,
  Param,
  Prompt,
  Reducer,
  Section,
  Session,
  type SliceOp,
  SliceOps,
  Tool,
  ToolContext,
} from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';

export class Booked {
  constructor(readonly what: string) {}
}

export class Bookings {
  constructor(readonly all: readonly string[] = []) {}

  @Reducer(() => Booked)
  add({ what }: Booked): SliceOp<Bookings> {
    return SliceOps.replace(new Bookings([...this.all, what]));
  }
}

class Rooms extends TransactionalTable<string, { readonly guest: string }> {}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A small hotel: a tool that writes, one that needs an approval, one that may act outside. */
export async function openHotel(options: Partial<ApplicationOptions> = {}) {
  class BookParams {
    @Param('The room, such as 12')
    room!: string;

    @Param('Who will sleep there')
    guest!: string;
  }

  class Greeting {
    @Param('The name of the house')
    house = 'Harbour House';
  }

  class PinParams {
    @Param({ description: 'The PIN', secret: true })
    pin!: string;
  }

  @Section({ title: 'Rooms', template: 'Book rooms of ${house}.', params: Greeting })
  class RoomsSection {
    @Tool({ description: 'Book a room.', hints: { openWorld: false } })
    book({ room, guest }: BookParams, { session, resources }: ToolContext): string {
      resources.get(Rooms).set(room, { guest });
      session.dispatch(new Booked(room));
      if (guest === 'nobody') throw new RangeError('Somebody has to sleep there.');
      return `${guest} sleeps in ${room}.`;
    }

    @Tool({ description: 'Upgrade a room.', hints: { openWorld: false }, requiresApproval: true })
    upgrade({ room, guest }: BookParams, { resources }: ToolContext): string {
      resources.get(Rooms).set(room, { guest: `${guest}, with a view` });
      return 'Upgraded.';
    }

    @Tool('Open the safe.')
    openSafe({ pin }: PinParams): string {
      return `Opened with ${pin}.`;
    }
  }

  @Section({
    key: 'kitchen',
    title: 'Kitchen',
    template: 'Breakfast is from 7 to 10, in the hall.',
    summary: 'When there is food.',
    visibility: 'summary',
  })
  class KitchenSection {
    @Tool({ description: 'The menu of today.', hints: { readOnly: true } })
    menu(): string {
      return 'Soup.';
    }
  }

  @Prompt({ ns: 'tests', key: 'hotel', sections: [RoomsSection, KitchenSection] })
  class Hotel {}

  const rooms = new Rooms([['1', { guest: 'Ada' }]]);
  const app = await createApplication({
    prompts: [Hotel],
    logger: silent,
    resources: [bind(Rooms, { value: rooms })],
    ...options,
  });
  const newSession = () => new Session({ slices: [Bookings] });
  return { app, prompt: app.prompt(Hotel), rooms, newSession };
}
