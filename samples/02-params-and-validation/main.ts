// One params class: a JSON Schema for the model, issues for a wrong call, findings for a wrong declaration.
import 'reflect-metadata';
import { Matches } from 'class-validator';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { createApplication, Param, Prompt, PromptValidationError, Section, Tool } from 'toolwright';

enum Seating {
  Inside = 'inside',
  Terrace = 'terrace',
}

class Guest {
  @Param({ description: 'Full name', minLength: 2 })
  name!: string;

  @Param({ description: 'Diet', enum: ['any', 'vegetarian', 'vegan'] })
  diet: 'any' | 'vegetarian' | 'vegan' = 'any';
}

class BookingParams {
  @Param({ description: 'Day of the visit', format: 'date' })
  day!: string;

  @Param({ description: 'Number of persons', integer: true, min: 1, max: 12 })
  persons = 2; // an initialiser is the default, and makes it optional

  @Param({ description: 'Where to sit', enum: Seating })
  seating = Seating.Inside;

  @Param({ description: 'Guests with wishes', type: () => [Guest], maxItems: 12 })
  guests: readonly Guest[] = []; // no type of items is emitted; `type` declares it

  @Param({ description: 'A certain table, such as T12', optional: true }) // the `?` is not emitted: without `optional`, tsc refuses it
  @Matches(/^T\d{2}$/) // rules may be options of @Param or decorators of class-validator
  table?: string;
}

@Section({ title: 'Tables' })
class TablesSection {
  @Tool('Book a table.')
  bookTable(params: BookingParams): string {
    assert.ok(params instanceof BookingParams);
    assert.ok(params.guests.every((guest) => guest instanceof Guest));
    return `Booked for ${params.persons} on ${params.day}, ${params.seating}.`;
  }

  // Scalars instead of a class; @Param takes the name first.
  @Tool('Count the free tables.')
  countFree(
    @Param('day', { description: 'Day of the visit', format: 'date' }) day: string,
    @Param('seating', { enum: Seating, default: Seating.Inside }) seating: Seating,
  ): string {
    return `3 free tables on ${day}, ${seating}.`;
  }
}

@Prompt({ ns: 'samples', key: 'tables', sections: [TablesSection] })
class Tables {}

// Three faults: a type that reflects as Object, a placeholder that no property has, a name that no provider accepts.
class LetterParams {
  @Param('Where to write to')
  contact = '';

  @Param('What to enclose')
  enclosure: unknown;
}

// The compiler checks the placeholders of a literal text; it cannot check one that is loaded at run time.
const letter = (): string => 'Write to ${contract}.';

@Section({ title: 'Letters', params: LetterParams, template: letter() })
class LettersSection {
  @Tool({ name: 'Send Letter', description: 'Send a letter.' })
  send(params: LetterParams): string {
    return `Sent to ${params.contact}.`;
  }
}

@Prompt({ ns: 'samples', key: 'letters', sections: [LettersSection] })
class Letters {}

async function main(): Promise<void> {
  const app = await createApplication({ prompts: [Tables] });
  const rendered = await app.prompt(Tables).render();

  for (const { name, parameters } of rendered.toolSchemas('json-schema')) {
    console.log(`--- JSON Schema of ${name} ---`);
    console.log(`${inspect(parameters, { depth: null, breakLength: 80 })}\n`);
  }
  const { parameters } = rendered.toolSchemas('json-schema')[0]!;
  assert.deepEqual(parameters['required'], ['day']);

  console.log('--- Good calls ---');
  const booked = await app.invoke(rendered, 'book_table', { day: '2030-05-01', guests: [{ name: 'Ada' }] });
  const counted = await app.invoke(rendered, 'count_free', { day: '2030-05-01' });
  console.log(`${booked.text}\n${counted.text}\n`);
  assert.equal(booked.text, 'Booked for 2 on 2030-05-01, inside.');
  assert.equal(counted.text, '3 free tables on 2030-05-01, inside.');

  console.log('--- Four mistakes in one call: what the model is told ---');
  const refused = await app.invoke(rendered, 'book_table', {
    persons: '4',
    seating: 'terrase',
    guests: [{ name: 'Ada', diett: 'vegan' }],
  });
  console.log(`${wrap(refused.text)}\n`);
  assert.equal(refused.kind, 'rejected'); // the handler did not run
  for (const place of ['day', 'persons', 'seating', 'guests[0].diett'])
    assert.ok(refused.text.includes(`- ${place}: `));

  console.log('--- Three faults in the declarations: it does not start ---');
  const error: unknown = await createApplication({ prompts: [Letters] }).catch((reason: unknown) => reason);
  assert.ok(error instanceof PromptValidationError);
  for (const { code, place, problem, remedy } of error.findings) {
    console.log(wrap(`${code} ${place}: ${problem}\n  fix: ${remedy}`));
  }
  assert.deepEqual(error.findings.map(({ code }) => code).sort(), ['E101', 'E201', 'E304']);
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n    ');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
