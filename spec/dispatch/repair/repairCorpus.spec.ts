import { isDeepStrictEqual } from 'node:util';
import type { ToolOutcome } from 'toolwright';
import { ambiguous } from './ambiguous';
import type { BrokenCase, BrokenKind } from './BrokenCase';
import { codeFence, doubleEncoding, trailingComma } from './brokenText';
import { beyond, booleanText, combined, numberText, singleValue } from './brokenValues';
import { repairDesk } from './tools';

const broken: Readonly<Record<BrokenKind, readonly BrokenCase[]>> = {
  'code-fence': codeFence,
  'trailing-comma': trailingComma,
  'double-encoding': doubleEncoding,
  'single-value': singleValue,
  'number-text': numberText,
  'boolean-text': booleanText,
  combined,
  beyond,
};
const kinds = Object.entries(broken) as [BrokenKind, readonly BrokenCase[]][];
const all = [
  ...kinds.flatMap(([kind, cases]) => cases.map(([tool, given, meant]) => ({ kind, tool, given, meant }))),
  ...ambiguous.map(([kind, tool, given]) => ({ kind, tool, given, meant: undefined })),
];

/** What an event says of repairs. */
type Repairs = readonly { readonly path: string; readonly kind: string }[] | undefined;

/** What became of the calls: those that ran as they were meant, those that ran otherwise, and those that were refused. */
interface Tally {
  readonly mended: typeof all;
  readonly changed: typeof all;
  readonly refused: typeof all;
  readonly ended: readonly { readonly outcome: ToolOutcome; readonly repairs: Repairs }[];
}

async function tallied(options: Parameters<typeof repairDesk>[0]): Promise<Tally> {
  const desk = await repairDesk(options);
  const tally = { mended: [...all], changed: [...all], refused: [...all], ended: [] as Tally['ended'][number][] };
  for (const list of [tally.mended, tally.changed, tally.refused]) list.length = 0;
  for (const one of all) {
    const before = desk.given.length;
    const outcome = await desk.call(one.tool, one.given as Parameters<typeof desk.call>[1]);
    tally.ended.push({ outcome, repairs: desk.events.at(-1)?.repairs });
    if (desk.given.length === before) tally.refused.push(one);
    else if (isDeepStrictEqual(desk.given.at(-1), one.meant)) tally.mended.push(one);
    else tally.changed.push(one);
  }
  return tally;
}

describe('the corpus of broken arguments', () => {
  test('CALL-08 the corpus of broken arguments has at least 200 cases, of which at least 60 have another reading, and none is right as it is', async () => {
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(ambiguous.length).toBeGreaterThanOrEqual(60);
    expect(new Set(all.map(({ tool, given }) => JSON.stringify([tool, given]))).size).toBe(all.length);
    const { refused, ended } = await tallied({});
    expect(all.filter((one) => !refused.includes(one))).toEqual([]);
    expect(ended.every(({ outcome, repairs }) => outcome.kind === 'rejected' && repairs === undefined)).toBe(true);
  });

  test('CALL-08 arguments with one meaning are mended, and 0 cases change their meaning', async () => {
    const { mended, changed, refused, ended } = await tallied({ repair: 'on' });
    const shares = kinds.map(([kind, cases]) => {
      const count = mended.filter((one) => one.kind === kind).length;
      return `${kind} ${String(count)}/${String(cases.length)}`;
    });
    const meant = all.filter((one) => one.meant !== undefined).length;
    process.stdout.write(
      `repair: ${String(all.length)} broken arguments; mended ${String(mended.length)} of ${String(meant)} with one meaning (${shares.join(', ')}); ` +
        `refused ${String(refused.length)}, of which ${String(ambiguous.length)} have another reading; ${String(changed.length)} changed meaning\n`,
    );
    expect(changed).toEqual([]);
    expect(refused.filter((one) => one.meant !== undefined && one.kind !== 'beyond')).toEqual([]);
    expect(refused).toHaveLength(ambiguous.length + beyond.length);
    expect(mended.length / meant).toBeGreaterThan(0.9);
    for (const [index, { kind }] of all.entries()) {
      const { outcome, repairs } = ended[index] as Tally['ended'][number];
      if (!mended.includes(all[index] as (typeof all)[number])) expect(repairs).toBeUndefined();
      else {
        expect(outcome.text).toMatch(/^Done\.\n\n\[The arguments were not quite right, [^\n]*\]$/);
        const found = new Set(repairs?.map((repair) => repair.kind));
        if (kind === 'combined') expect(repairs?.length).toBeGreaterThan(1);
        else expect([...found]).toEqual([kind]);
      }
    }
  });

  test('CALL-08 reported, nothing runs, and the arguments that the model is shown are right', async () => {
    const { refused, ended } = await tallied({ repair: 'report' });
    expect(refused).toHaveLength(all.length);
    const desk = await repairDesk({});
    for (const [index, { tool, kind, meant }] of all.entries()) {
      const { outcome, repairs } = ended[index] as Tally['ended'][number];
      const [, json] = /They would be right but for this: .*\. Corrected:\n(.*)$/.exec(outcome.text) ?? [];
      expect(json !== undefined).toBe(meant !== undefined && kind !== 'beyond');
      if (json === undefined) continue;
      expect(repairs).not.toHaveLength(0);
      await desk.call(tool, json);
      expect(isDeepStrictEqual(desk.given.at(-1), meant)).toBe(true);
    }
  });
});
