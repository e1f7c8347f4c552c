// Compiled against the tarball and run by `node scripts/package-check.mjs`, with each TypeScript that is a peer: it must take the
// declarations, find the wrong handler and emit the metadata. Prints what became of the type check of a program.
import 'reflect-metadata';
import { createApplication, Param, Prompt, Section, Tool, type ToolContext } from 'toolwright';
import { Toolkit } from '@toolwright/programs';

class TwiceParams {
  @Param('A number') value!: number;
}

class TextParams {
  @Param('A text') text!: string;
}

@Section({ title: 'Numbers', template: 'Count with ${value}.', params: TwiceParams, defaults: { value: 2 } })
class NumbersSection {
  @Tool({ description: 'Twice the number.', params: TwiceParams, result: Number, hints: { readOnly: true } })
  twice({ value }: TwiceParams): number {
    return 2 * value;
  }
}

export class WrongSection {
  // @ts-expect-error: the params of the handler are not those of the tool
  @Tool({ description: 'Wrong.', params: TwiceParams })
  wrong(params: TextParams, context: ToolContext): string {
    return `${params.text} ${context.call.id}`;
  }
}

@Prompt({ ns: 'check', key: 'numbers', sections: [NumbersSection] })
class Numbers {}

async function main(): Promise<void> {
  const logger = { debug() {}, info() {}, warn: (text: string) => console.log(text), error() {} };
  const app = await createApplication({ prompts: [Numbers], logger });
  const kit = await Toolkit.from(await app.prompt(Numbers).render(), { app, check: 'types' });
  const right = await kit.execute('const found: number = await twice({ value: 4 });\nreturn found + 1;');
  if (right.returnValue !== 9) throw new Error(`the program gave ${right.toModelText()}`);
  const wrong = await kit.execute('return (await twice({ value: "4" })).length;');
  console.log(`A wrong program is ${wrong.error?.name.startsWith('TS') === true ? 'refused' : 'run'}.`);
  await app.close();
}

void main();
