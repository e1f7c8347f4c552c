import { Inject } from '@nestjs/common';
import { Toolwright } from './Toolwright.js';

/** The token of the `Toolwright` of `ToolwrightModule.forRoot({ name })`; the class itself where there is no name. */
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
