import { brand, hasBrand } from '../common/brand.js';
import { messageOf } from '../common/text.js';
import { ToolRefusal } from './toolErrors.js';

/** A database refused a commit and kept nothing; the message is the driver's own, and `maskErrors` masks it. */
export class CommitRefusal extends ToolRefusal {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }

  static override is(this: void, value: unknown): value is CommitRefusal {
    return hasBrand(value, 'CommitRefusal');
  }
}
brand(CommitRefusal, 'CommitRefusal');
