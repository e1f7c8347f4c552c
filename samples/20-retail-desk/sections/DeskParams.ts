import { Param } from 'toolwright';

/** The shop's facts that the texts of the desk mention. */
export class DeskParams {
  @Param('How the shop is called')
  storeName = 'an online shop';

  @Param('Time zone of all times in the data')
  timeZone = 'EST';
}
