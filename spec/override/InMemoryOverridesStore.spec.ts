import { InMemoryOverridesStore } from 'toolwright/overrides';
import { overridesStoreContract } from '../../packages/contracts/spec/overridesStore.contract';

describe('the store of overrides in memory', () => {
  overridesStoreContract(() => new InMemoryOverridesStore());
});
