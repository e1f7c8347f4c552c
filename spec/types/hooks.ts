// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { type HookInput, Param, Section } from 'toolwright';
import type { SessionPort } from 'toolwright/conversations';

class DeskParams {
  @Param('Tool to try first') primaryTool = 'get_order';
}
class OtherParams {
  @Param('Limit') limit = 5;
}

@Section({ title: 'Orders', params: DeskParams })
export class HooksAsMethods {
  enabled({ params }: HookInput<DeskParams>): boolean {
    return params.primaryTool !== '';
  }
  async renderBody({ params, session }: HookInput<DeskParams>): Promise<string> {
    return `${params.primaryTool} ${session.id}`;
  }
}

@Section({ title: 'Orders', params: () => DeskParams })
export class HooksAsFields {
  enabled = async ({ params }: HookInput<DeskParams>): Promise<boolean> => params.primaryTool !== '';
  renderBody = (): string => 'Body.';
}

@Section({ title: 'Orders', params: DeskParams })
export class HooksOfLess {
  readonly enabled: boolean = true;
  renderBody({ session }: { readonly session: SessionPort }): string {
    return session.id;
  }
}

// The params may be those of its parent.
@Section({ title: 'Orders' })
export class HooksOfChild {
  enabled({ params }: HookInput<DeskParams>): boolean {
    return params.primaryTool !== '';
  }
}

// A private member is no hook to the compiler; the builder checks it.
@Section({ title: 'Orders' })
export class PrivateMember {
  constructor(private readonly enabled: ReadonlySet<string>) {}
  count(): number {
    return this.enabled.size;
  }
}

// @ts-expect-error: the section has other params
@Section({ title: 'Orders', params: DeskParams })
export class MethodOfOtherParams {
  enabled({ params }: HookInput<OtherParams>): boolean {
    return params.limit > 0;
  }
}

// @ts-expect-error: the section has other params
@Section({ title: 'Orders', params: DeskParams })
export class FieldOfOtherParams {
  renderBody = ({ params }: HookInput<OtherParams>): string => String(params.limit);
}

// @ts-expect-error: a hook receives params and session, not a context
@Section({ title: 'Orders' })
export class InventedInput {
  enabled({ context }: { readonly context: object }): boolean {
    return 'x' in context;
  }
}

// @ts-expect-error: enabled returns true or false
@Section({ title: 'Orders', params: DeskParams })
export class EnabledGivesText {
  enabled(): string {
    return 'yes';
  }
}

// @ts-expect-error: renderBody returns a text
@Section({ title: 'Orders', params: DeskParams })
export class BodyIsNumber {
  async renderBody(): Promise<number> {
    return 5;
  }
}

// @ts-expect-error: a hook is a function
@Section({ title: 'Orders' })
export class BodyIsField {
  renderBody = 'Body.';
}

// @ts-expect-error: enabled returns true or false
@Section({ title: 'Orders', enabled: () => 'yes' })
export class OptionGivesText {}

// @ts-expect-error: renderBody returns a text
@Section({ title: 'Orders', renderBody: () => 5 })
export class OptionGivesNumber {}
