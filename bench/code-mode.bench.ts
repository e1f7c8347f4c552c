// Compares programs with the AI SDK's code mode: same tools, same checks of arguments.
import 'reflect-metadata';
import { Param, Tool } from 'toolwright';
import { Toolkit } from '@toolwright/programs';
import { measure, type Contender } from './harness/measure.js';
import { assertSame, peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

const CALLS = 100;
const OURS = 'toolwright';
const PROGRAMS: Readonly<Record<string, { readonly code: string; readonly result: number }>> = {
  'a trivial program': { code: 'return 1;', result: 1 },
  '100 calls one after the other': {
    code: `let sum = 0; for (let i = 0; i < ${String(CALLS)}; i++) sum += (await tools.twice({ i })).twice; return sum;`,
    result: CALLS * (CALLS - 1),
  },
  '100 calls at once': {
    code: `const all = await Promise.all(Array.from({ length: ${String(CALLS)} }, (_, i) => tools.twice({ i })));
let sum = 0; for (const { twice } of all) sum += twice; return sum;`,
    result: CALLS * (CALLS - 1),
  },
};

class TwiceParams {
  @Param('A number') i!: number;
}

class Numbers {
  @Tool({ description: 'Twice the number.', params: TwiceParams, hints: { readOnly: true } })
  twice({ i }: TwiceParams): { readonly twice: number } {
    return { twice: 2 * i };
  }
}

async function main(): Promise<void> {
  const kit = await Toolkit.from([new Numbers()], { check: 'syntax' });
  const { contenders: peers } = await peersOf('codeMode', {});
  const report = new Report('code-mode');
  for (const [what, { code, result }] of Object.entries(PROGRAMS)) {
    const contenders: Record<string, Contender> = {
      [OURS]: async () => (await kit.execute(code)).returnValue,
      ...Object.fromEntries(Object.entries(peers).map(([name, run]) => [name, () => run(code)])),
    };
    await assertSame(contenders, result);
    const measured = await measure(contenders);
    for (const name of Object.keys(contenders)) report.add(`${what}, ${name}`, measured.time(name), 'ms');
    for (const name of Object.keys(peers)) report.add(`${what}, ${OURS} / ${name}`, measured.ratio(OURS, name), 'x', 1);
  }
  report.keep();
}

void main();
