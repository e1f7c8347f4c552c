import { BadRequestException, Injectable } from '@nestjs/common';
import type { User } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { UsersService } from '../users/users.service.js';

export interface Profile {
  readonly username: string;
  readonly bio: string;
  readonly following: boolean;
}

@Injectable()
export class ProfilesService {
  constructor(
    private readonly users: UsersService,
    private readonly repository: UsersRepository,
  ) {}

  async find(username: string, reader: User): Promise<Profile> {
    const user = await this.users.findByName(username);
    const following = await this.repository.isFollowing(reader, user);
    return { username, bio: user.bio, following };
  }

  async follow(username: string, reader: User): Promise<Profile> {
    const user = await this.users.findByName(username);
    if (user.id === reader.id) throw new BadRequestException('You cannot follow yourself.');
    await this.repository.follow(reader, user);
    return this.find(username, reader);
  }
}
