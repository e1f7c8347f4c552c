import type { Constructor } from 'toolwright';

/** The prompts that one `forFeature` adds to an application; a provider without dependencies, found by its class. */
export class FeaturePrompts {
  constructor(
    readonly name: string | undefined,
    readonly prompts: readonly Constructor[],
  ) {}
}
