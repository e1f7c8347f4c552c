import 'reflect-metadata';
import { QuickJsSandbox } from '@toolwright/programs';
import { PATIENCE_MS } from '../../packages/programs/spec/kit';
import { casesFolder } from './loadCases';
import { brokenProperties } from './programs/attack';
import { loadPrograms } from './programs/loadPrograms';
import { HELD_MS, leastPause } from '../support/hostPause';
import { measureAround } from '../support/attacks/around';

measureAround();

const { attacks } = loadPrograms(casesFolder());

describe('attacks of the conformance cases', () => {
  const sandbox = new QuickJsSandbox({ workers: 1 });
  afterAll(() => sandbox.close());
  let held = 0;

  test.each(attacks.map((attack) => [attack.id, attack.what, attack] as const))(
    '%s %s',
    async (_id, _what, attack) => {
      let broken: readonly string[] = [];
      const pause = await leastPause(async () => (broken = await brokenProperties(attack, sandbox)), 5);
      expect(broken).toEqual([]);
      expect(pause).toBeLessThanOrEqual(HELD_MS);
      held++;
    },
    2 * PATIENCE_MS,
  );

  afterAll(() => {
    process.stdout.write(`attacks: ${String(attacks.length)}, ${String(held)} held\n`);
  });
});
