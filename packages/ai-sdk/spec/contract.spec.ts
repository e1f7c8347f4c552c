import { modelAdapterContract } from '@toolwright/contracts';
import { openModelKit } from './support/modelKit';

describe.each(['v3', 'v4'] as const)('AiSdkAdapter meets the contract of adapters with a model of %s', (version) => {
  for (const { name, run } of modelAdapterContract(openModelKit(version))) test(name, run);
});
