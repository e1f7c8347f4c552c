import { Field } from '../decorator/Param.js';
import type { CallContext } from '../interface/CallContext.js';

/** A policy's record of a successful call. Every session has this slice; a failed call rolls it back. */
export class PolicyRecord {
  /** The policy's name. */
  @Field({ description: 'Policy', type: String })
  readonly policy: string;
  @Field({ description: 'Tool', type: String })
  readonly tool: string;
  /** The subject of the call, such as the path of a file; null for a policy that counts calls. */
  @Field({ description: 'Subject', type: String, nullable: true })
  readonly subject: string | null;
  /** Milliseconds since the epoch. */
  @Field({ description: 'Time', type: Number })
  readonly time: number;

  constructor(policy: string, tool: string, subject: string | null, time: number) {
    this.policy = policy;
    this.tool = tool;
    this.subject = subject;
    this.time = time;
  }

  /** Returns the records of one policy, oldest first. */
  static of(policy: string, { session }: CallContext): readonly PolicyRecord[] {
    return session.slice(PolicyRecord).where((record) => record.policy === policy);
  }
}
