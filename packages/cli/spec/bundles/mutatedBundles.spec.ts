import { replayOf, replayTest, stateAt } from 'toolwright/bundles';
import { TerminalText } from '../../src/terminal/TerminalText';
import { buildBundleTrees } from '../../src/trace/buildBundleTrees';
import { drawTrees } from '../../src/trace/drawTrees';
import { testMutatedBundles } from '../../../../spec/bundles/mutatedBundles';

function expectCode(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: 'E752' });
  }
}

testMutatedBundles((bundle) => {
  for (const run of [undefined, 'r-1']) {
    expectCode(() => replayOf(bundle, run));
    expectCode(() => replayTest(bundle, { run }));
  }
  stateAt(bundle.entries, 's-1');
  expect(drawTrees(buildBundleTrees(bundle)).every((line) => line instanceof TerminalText)).toBe(true);
});
