// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import {
  Field,
  Prompt,
  Section,
  type Application,
  type EvaluateOptions,
  type ModelAdapter,
  type PromptResponse,
} from 'toolwright';
import { parseOutput } from 'toolwright/schema';
import type { OutputReference } from 'toolwright/types';

class Review {
  @Field('1 to 5') stars!: number;
}

@Section({ title: 'Desk' })
class Desk {}

@Prompt({ ns: 'a', key: 'one', sections: [Desk], output: Review })
export class One {}

@Prompt({ ns: 'a', key: 'many', sections: [Desk], output: { array: () => Review }, allowExtraKeys: true })
export class Many {}

@Prompt({ ns: 'a', key: 'typed', sections: [Desk], output: Review })
export class Typed {
  declare readonly output: Review;
}

@Prompt({ ns: 'a', key: 'typed-list', sections: [Desk], output: { array: () => Review } })
export class TypedList {
  declare readonly output: readonly Review[];
}

// @ts-expect-error: CALL-07 the property says something else than the option
@Prompt({ ns: 'a', key: 'mistyped', sections: [Desk], output: Review })
export class Mistyped {
  declare readonly output: readonly Review[];
}

// @ts-expect-error: CALL-07 there is a property, and no option
@Prompt({ ns: 'a', key: 'unsaid', sections: [Desk] })
export class Unsaid {
  declare readonly output: Review;
}

/** The response has the type that the class of the prompt declares. */
export async function declaredByPrompt(app: Application, adapter: ModelAdapter): Promise<void> {
  const prompt = app.prompt(Typed);
  const one = await app.evaluate(prompt, { adapter });
  one.output.stars.toFixed();
  // @ts-expect-error: it is no list
  takesList(one.output);
  const rendered = await app.evaluate(await prompt.bind().render(), { adapter });
  rendered.output.stars.toFixed();
  const many = await app.evaluate(app.prompt(TypedList), { adapter });
  takesList(many.output);
  const other = await app.evaluate(prompt, { adapter, output: { array: Review } });
  takesList(other.output);
  for await (const event of app.stream(prompt, { adapter }))
    if (event.kind === 'done') event.response.output.stars.toFixed();
}

// @ts-expect-error: a text names no class
@Prompt({ ns: 'a', key: 'text', sections: [Desk], output: 'Review' })
export class Text {}

// @ts-expect-error: a list is written as { array: X }
@Prompt({ ns: 'a', key: 'list', sections: [Desk], output: [Review] })
export class List {}

declare function takesText(text: string): void;
declare function takesList(reviews: readonly Review[]): void;

/** The response has the type of the requested output. */
export async function responses(app: Application, adapter: ModelAdapter): Promise<readonly PromptResponse[]> {
  const prompt = app.prompt(One);
  const one = await app.evaluate(prompt, { adapter, output: Review });
  one.output.stars.toFixed();
  // @ts-expect-error: it is no list
  takesList(one.output);

  const thunk = await app.evaluate(prompt, { adapter, output: () => Review });
  thunk.output.stars.toFixed();

  const many = await app.evaluate(prompt, { adapter, output: { array: Review } });
  many.output.map(({ stars }) => stars.toFixed());
  // @ts-expect-error: it is a list
  takesText(many.output);

  const lazy = await app.evaluate(prompt, { adapter, output: { array: () => Review } });
  lazy.output[0]?.stars.toFixed();

  const declared = await app.evaluate(prompt, { adapter });
  // @ts-expect-error: what the prompt declares is known at run time only
  takesText(declared.output);
  const any: PromptResponse = declared;

  const options: EvaluateOptions = { adapter };
  const plain = await app.evaluate(prompt, options);
  // @ts-expect-error: the options may hold any output
  takesText(plain.output);

  const reference: OutputReference = Review;
  const some: PromptResponse = await app.evaluate(prompt, { adapter, output: reference });

  // @ts-expect-error: an instance is no class
  await app.evaluate(prompt, { adapter, output: new Review() });
  // @ts-expect-error: a number is no output, either
  await app.evaluate(prompt, { adapter, output: 5 });
  return [any, some];
}

parseOutput(Review, '').stars.toFixed();
parseOutput({ array: Review }, '')[0]?.stars.toFixed();
// @ts-expect-error: it is a list
takesText(parseOutput({ array: Review }, ''));
