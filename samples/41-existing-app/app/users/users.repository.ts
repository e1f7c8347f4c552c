import { Injectable } from '@nestjs/common';
import { User } from './user.entity.js';

/** The queries of the application; another class of this form would ask a database. */
@Injectable()
export class UsersRepository {
  readonly #users = [
    new User({ id: 1, username: 'ann', email: 'ann@example.com', password: 'ann-secret' }),
    new User({ id: 2, username: 'bob', email: 'bob@example.com', password: 'bob-secret' }),
  ];
  readonly #follows = new Set<string>();

  async findByName(username: string): Promise<User | undefined> {
    return this.#users.find((user) => user.username === username);
  }

  async save(user: User): Promise<User> {
    this.#users[this.#users.findIndex(({ id }) => id === user.id)] = user;
    return user;
  }

  async follow(follower: User, followed: User): Promise<void> {
    this.#follows.add(`${String(follower.id)} ${String(followed.id)}`);
  }

  async isFollowing(follower: User, followed: User): Promise<boolean> {
    return this.#follows.has(`${String(follower.id)} ${String(followed.id)}`);
  }
}
