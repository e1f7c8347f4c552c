import { ToolRefusal } from 'toolwright';
import type { RetailStore } from './RetailStore.js';
import type { OrderRow, UserRow } from './rows.js';

/** Users of one tool call. A user's row does not hold its own id, so ids go beside the rows. */
export class UserRepository {
  constructor(private readonly store: RetailStore) {}

  get(userId: string): UserRow {
    const user = this.store.users.get(userId);
    if (user === undefined) {
      throw new ToolRefusal(
        `There is no user ${userId}. Find the id with find_user_id_by_email or find_user_id_by_name_zip.`,
      );
    }
    return user;
  }

  ownerOf(order: OrderRow): UserRow {
    return this.get(order.user_id);
  }

  findIdByEmail(email: string): string | undefined {
    const wanted = email.toLowerCase();
    return this.findId((user) => user.email.toLowerCase() === wanted);
  }

  findIdByNameAndZip(firstName: string, lastName: string, zip: string): string | undefined {
    const [first, last] = [firstName.toLowerCase(), lastName.toLowerCase()];
    return this.findId(
      ({ name, address }) =>
        name.first_name.toLowerCase() === first && name.last_name.toLowerCase() === last && address.zip === zip,
    );
  }

  save(userId: string, user: UserRow): UserRow {
    this.store.users.set(userId, user);
    return user;
  }

  private findId(matches: (user: UserRow) => boolean): string | undefined {
    for (const [id, user] of this.store.users) if (matches(user)) return id;
    return undefined;
  }
}
