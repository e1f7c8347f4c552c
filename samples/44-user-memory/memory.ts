// A prompt that remembers facts of its user: the next conversation knows them.
import { type HookInput, Field, Param, Prompt, Section, Tool, ToolContext, ToolRefusal } from 'toolwright';
import type { SliceDeclaration } from 'toolwright/conversations';

/** State without a reducer: each dispatched fact is appended to the slice. */
export class Fact {
  @Field({ description: 'One short sentence', type: String }) readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The last offer, which belongs to one conversation. */
export class Offered {
  @Field({ description: 'Name of the dish', type: String }) readonly dish: string;

  constructor(dish: string) {
    this.dish = dish;
  }
}

export const slices: readonly SliceDeclaration[] = [{ type: Fact, scope: 'user' }, { type: Offered }];

@Section({ title: 'Guest' })
class GuestSection {
  renderBody({ session }: HookInput): string {
    const facts = session.slice(Fact).all();
    if (facts.length === 0) return 'Nothing is known of the guest yet. Remember facts that matter for later visits.';
    return facts.map(({ text }) => `- ${text}`).join('\n');
  }

  // It changes nothing outside, so a call that another conversation has overtaken runs again by itself.
  @Tool({ description: 'Remember a fact of the guest for later visits.', hints: { openWorld: false } })
  remember(@Param('fact', 'One short sentence') fact: string, { session }: ToolContext): string {
    session.dispatch(new Fact(fact));
    // A refused call leaves no trace in the memory either.
    if (fact.length > 60) throw new ToolRefusal('That is too long for a fact.');
    return 'I will remember it.';
  }

  @Tool('Offer a dish.')
  offer(@Param('dish', 'Name of the dish') dish: string, { session }: ToolContext): string {
    session.dispatch(new Offered(dish));
    return `Offered: ${dish}.`;
  }
}

@Prompt({ ns: 'samples', key: 'waiter', sections: [GuestSection] })
export class Waiter {}
