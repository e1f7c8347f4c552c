import { EntrySource } from '../src/server/EntrySource';
import { testMutatedBundles } from '../../../spec/bundles/mutatedBundles';

testMutatedBundles((bundle) => {
  const source = new EntrySource('1', 'bundle', bundle);
  for (const { seq } of bundle.entries) {
    source.detail(seq);
    source.state(seq);
  }
  JSON.stringify([source.rows, source.points, source.renderings]);
});
