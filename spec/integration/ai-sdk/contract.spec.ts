import { modelAdapterContract } from 'toolwright/testing';
import { openModelKit } from '../../support/ai-sdk/modelKit';

describe.each(['v3', 'v4'] as const)('AiSdkAdapter meets the contract of adapters with a model of %s', (version) => {
  for (const { name, run } of modelAdapterContract(openModelKit(version))) test(name, run);
});
