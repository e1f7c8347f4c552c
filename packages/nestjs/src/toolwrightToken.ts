import { Inject } from '@nestjs/common';
import { Toolwright } from './Toolwright.js';

/** Returns the token of the `Toolwright` of `ToolwrightModule.forRoot({ name })`; the class itself without a name. */
export function toolwrightToken(name?: string): string | typeof Toolwright {
  return name === undefined ? Toolwright : `Toolwright(${name})`;
}

/**
 * Injects the `Toolwright` of `ToolwrightModule.forRoot({ name })`.
 *
 * @example
 * constructor(@InjectToolwright('billing') private readonly toolwright: Toolwright) {}
 */
export function InjectToolwright(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(toolwrightToken(name));
}
