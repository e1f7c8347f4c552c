import { Param } from '../../decorator/Param.js';

/** The arguments of `read_result`. */
export class ReadResultParams {
  @Param('Handle of the result, copied exactly')
  handle!: string;

  @Param({ description: 'How many characters to skip', integer: true, min: 0 })
  offset = 0;

  @Param({ description: 'How many characters to read at most', integer: true, min: 1, max: 10_000 })
  limit = 4_000;
}
