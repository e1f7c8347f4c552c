import { Param } from 'toolwright';

/** What the texts of the desk say about the shop that uses it. */
export class DeskParams {
  @Param('How the shop is called')
  storeName = 'an online shop';

  @Param('Time zone of all times in the data')
  timeZone = 'EST';
}
