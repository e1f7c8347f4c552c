import { InMemoryOverridesStore } from 'toolwright/overrides';
import { overridesStoreContract } from '../contracts/overridesStore.contract';

describe('the store of overrides in memory', () => {
  overridesStoreContract(() => new InMemoryOverridesStore());
});
